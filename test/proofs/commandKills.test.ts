import { expect } from 'chai';
import { ChildService } from '../support/ChildService.js';
import type { Answer, TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';
import { itInProofs } from '../support/itInProofs.js';
import { claimBody, finished, grant, makeCustomer } from '../support/records.js';
import { recordProof } from '../support/recordProof.js';

const KILLS = 3;
const BATCH = 24;

/** A request that is repeated under its key until it is answered. */
interface Work {
  key: string;
  path: string;
  body: unknown;
  answers: Set<string>;
}

describe('A service killed during requests', () => {
  let service: TestService;

  before(async () => {
    // Registers the app and checks the result. It leaves the queues to the process that is killed.
    service = await TestService.start({ ROLE: 'gateway' });
  });
  after(() => service.stop());

  itInProofs('does all or nothing of each request, and repeats none that is sent again', async () => {
    const app = await service.makeApp();
    const customer = await makeCustomer(app);
    await grant(app, customer, 'personalization');
    const works: Work[] = [];
    for (let round = 0; round <= KILLS; round += 1) {
      const child = await ChildService.start(service.database.ownerUrl);
      const fresh = Array.from({ length: BATCH }, (_, index) => workOf(customer, round * BATCH + index));
      works.push(...fresh);
      const open = works.filter(({ answers }) => answers.size === 0);
      const sent = open.map((work) => send(app.at(child.url), work));
      if (round < KILLS) {
        await Promise.race(sent);
        await child.kill();
        await Promise.allSettled(sent);
        await expectWhole(customer);
      } else {
        await Promise.all(sent);
        // Each request is sent once more: another process gives the same answer.
        await Promise.all(works.map((work) => send(app, work)));
        await Promise.all(works.map((work) => send(app.at(child.url), work)));
        await expectApplied(app, works, child);
      }
      await child.kill();
    }
    for (const { key, answers } of works) expect([...answers], key).to.have.length(1);
    const [{ receipts }] = await service.sql(
      'SELECT count(*)::int AS receipts FROM consent_receipts WHERE customer_id = $1',
      [customer],
    );
    expect(receipts).to.equal(works.filter(({ path }) => path.includes('receipts')).length + 1);
    const [head] = await service.sql('SELECT sequence::int FROM customer_heads WHERE customer_id = $1', [
      customer,
    ]);
    expect(head.sequence).to.equal(works.filter(({ path }) => path.includes('claims')).length);
    recordProof({
      proof: 'commandKills',
      injected: `kill -9 of a gateway in the middle of ${BATCH} requests, each sent again under its key`,
      times: KILLS,
      checked:
        'right after each kill every effect has its key and every key its effect; in the end one answer each',
      figure: `${works.length} requests, one effect and one answer each`,
      broken: '– (`duplicates` keeps one: keys of their own)',
    });
  });

  function workOf(customer: string, index: number): Work {
    const key = `kill-work-${String(index).padStart(8, '0')}`;
    const claim = {
      path: '/v1/claims',
      body: claimBody(customer, { attribute: `a_${index}`, value: index }),
    };
    const receipt = { path: '/v1/consent-receipts', body: { customer_id: customer, purposes: ['support'] } };
    return { key, answers: new Set(), ...(index % 2 ? claim : receipt) };
  }

  async function send(by: TestPartner, work: Work): Promise<void> {
    const answer = await by
      .rest('POST', work.path, work.body, { 'idempotency-key': work.key })
      .catch((): Answer | undefined => undefined);
    if (answer !== undefined && answer.status < 300) work.answers.add(answer.text);
  }

  /** Runs right after a kill: a key without its effect, or an effect without its key, is half a request. */
  async function expectWhole(customer: string): Promise<void> {
    const [row] = await service.sql(
      `SELECT (SELECT count(*)::int FROM idempotency_keys WHERE key LIKE 'kill-work-%') AS keys,
              (SELECT count(*)::int FROM idempotency_keys WHERE key LIKE 'kill-work-%' AND result IS NULL) AS unanswered,
              (SELECT count(*)::int - 1 FROM consent_receipts WHERE customer_id = $1) AS receipts,
              (SELECT sequence::int FROM customer_heads WHERE customer_id = $1) AS sequence,
              (SELECT count(*)::int FROM inbox WHERE customer_id = $1) AS waiting,
              (SELECT count(*)::int FROM claims WHERE customer_id = $1) AS applied,
              (SELECT applied_sequence::int FROM customer_heads WHERE customer_id = $1) AS applied_sequence`,
      [customer],
    );
    expect(row.unanswered).to.equal(0);
    expect(row.keys).to.equal(row.receipts + row.sequence);
    expect(row.waiting + row.applied, 'accepted claims wait or are applied').to.equal(row.sequence);
    expect(row.applied).to.equal(row.applied_sequence);
  }

  async function expectApplied(app: TestPartner, works: Work[], child: ChildService): Promise<void> {
    const claims = works.filter(({ path }) => path.includes('claims'));
    for (const { answers } of claims) {
      const [text = '{}'] = answers;
      expect(
        await finished(app.at(child.url), (JSON.parse(text) as { workflow_id: string }).workflow_id),
      ).to.include({
        status: 'completed',
      });
    }
    const rows = await service.sql(
      'SELECT count(*)::int AS n, count(DISTINCT attribute)::int AS attributes FROM claims',
    );
    expect(rows).to.deep.equal([{ n: claims.length, attributes: claims.length }]);
  }
});
