import { expect } from 'chai';
import { ChildService } from '../support/ChildService.js';
import { claimBody, finished, grant, makeCustomer, revoke, sendClaims } from '../support/records.js';
import { recordProof } from '../support/recordProof.js';
import { runProgram } from '../support/runProgram.js';
import type { TestPartner } from '../support/TestPartner.js';
import { freshKey } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';
import { IN_PROOFS, itInProofs } from '../support/itInProofs.js';

const ROUNDS = IN_PROOFS ? 400 : 9;
const MINUTES = 5;
const OWN_CLOCK = 'proofs/variants/ownClock.js';

/**
 * Proof: what is open is decided by the order of decisions, not by anybody's clock. The processes go by the
 * clocks of their machines instead of the database's, all wrong, unless a test says otherwise.
 */
describe('Processes with different clocks', function () {
  this.timeout(600_000);
  let service: TestService;
  let ahead: ChildService;
  let behind: ChildService;
  let app: TestPartner;
  let nodes: TestPartner[];

  /** A process whose machine's clock is wrong; the variant goes by it. */
  const shifted = (minutes: number, variant?: string, role = 'all'): Promise<ChildService> =>
    ChildService.start(service.database.ownerUrl, { ...wrongClock(minutes), ROLE: role }, variant);

  before(async () => {
    service = await TestService.start();
    [ahead, behind] = await Promise.all([shifted(MINUTES, OWN_CLOCK), shifted(-MINUTES, OWN_CLOCK)]);
    app = await service.makeApp();
    nodes = [app, app.at(ahead.url), app.at(behind.url)];
  });
  after(async () => {
    await Promise.all([ahead?.kill(), behind?.kill()]);
    await service.stop();
  });

  const at = (place: number): TestPartner => nodes[place % nodes.length] ?? app;

  /** The time by the clock of a process. */
  async function clockOf(node: TestPartner): Promise<number> {
    const { body } = await node.rest('POST', '/v1/customers', { external_id: freshKey() });
    return Date.parse(body.customer.created_at as string);
  }

  it('record the time of the database', async () => {
    const others = await Promise.all([shifted(MINUTES), shifted(-MINUTES)]);
    try {
      const times = await Promise.all([app, ...others.map(({ url }) => app.at(url))].map(clockOf));
      expect(Math.max(...times) - Math.min(...times)).to.be.lessThan(60_000);
    } finally {
      await Promise.all(others.map((other) => other.kill()));
    }
  });

  it('list as the newest what was accepted last, by a process minutes behind', async () => {
    const behindOnly = await shifted(-MINUTES);
    try {
      const customer = await makeCustomer(app);
      await grant(app, customer, 'personalization');
      const accepted: string[] = [];
      for (const node of [app, app.at(behindOnly.url)]) {
        const { body } = await node.rest('POST', '/v1/claims', claimBody(customer));
        await finished(app, body.workflow_id as string);
        accepted.push(body.workflow_id as string);
      }
      const { body } = await app.rest('GET', '/v1/workflows?order=newest_first&limit=2');
      const listed = (body.data as { id: string }[]).map(({ id }) => id);
      expect(listed).to.deep.equal(accepted.toReversed());
    } finally {
      await behindOnly.kill();
    }
  });

  it('and a command date a new account by the clock of the database', async () => {
    const email = `${freshKey()}@example.org`;
    const { code, stderr } = await runProgram(
      process.execPath,
      ['dist/src/cli/consent.js', 'account', 'create', '--email', email, '--generate'],
      { env: { DATABASE_URL: service.database.ownerUrl, ...wrongClock(MINUTES) } },
    );
    expect(code, stderr).to.equal(0);
    const [row] = await service.sql(
      'SELECT abs(extract(epoch FROM now() - created_at))::integer AS off FROM accounts WHERE email = $1',
      [email],
    );
    expect(row.off).to.be.lessThan(60);
  });

  it('record times that are minutes apart when they go by their own clocks', async () => {
    const [now = 0, later = 0, earlier = 0] = await Promise.all(nodes.map(clockOf));
    expect(later - now).to.be.greaterThan((MINUTES - 2) * 60_000);
    expect(now - earlier).to.be.greaterThan((MINUTES - 2) * 60_000);
  });

  it('agree on a revocation and on a new grant without old data', async () => {
    let stale = 0;
    let misdated = 0;
    let misled = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const [granting, revoking, regranting] = [at(round), at(round + 1 + (round % 2)), at(round + 2)];
      const customer = await makeCustomer(app);
      const receipt = await grant(granting, customer, 'personalization');
      const grantedAt = await clockOf(granting);
      const accepted = await at(round + 1).rest('POST', '/v1/claims', claimBody(customer));
      expect(accepted.status).to.equal(202);
      const revoked = await revoking.rest('POST', `/v1/consent-receipts/${receipt}/revoke`, {});
      expect(revoked.status).to.equal(202);
      misled += (await clockOf(revoking)) < grantedAt ? 1 : 0;
      for (const node of nodes) {
        const shut = await node.rest('GET', `/v1/profiles/${customer}?consent_purpose=personalization`);
        if (shut.status !== 403) stale += 1;
        const { body } = await node.rest('GET', `/v1/customers/${customer}/effective-consent`);
        if (JSON.stringify(body).includes('"granted"')) stale += 1;
      }
      misdated += await byTheTime(customer);
      await grant(regranting, customer, 'personalization');
      for (const node of nodes) {
        const { status, body } = await node.rest(
          'GET',
          `/v1/profiles/${customer}?consent_purpose=personalization`,
        );
        if (status !== 200 || body.facts.length > 0) stale += 1;
      }
    }
    expect(stale).to.equal(0);
    expect(misdated, 'times against the order').to.equal(0);
    expect(misled, 'the control').to.be.greaterThan(0);
    recordProof({
      proof: 'clocks',
      injected: `three processes that go by their own clocks, one ${MINUTES} minutes ahead and one ${MINUTES} behind; grants, claims, revokes and new grants by turns`,
      times: ROUNDS,
      checked:
        'closed at every process once the revoke was answered; opened anew, empty; times of decisions in their order',
      figure: `${stale} stale`,
      broken: `by the clocks of the processes instead of the order ${misled} of ${ROUNDS} would have stayed open`,
    });
  });

  /** 1 when the latest decision by its time is another than the latest by its place in the ledger. */
  async function byTheTime(customer: string): Promise<number> {
    const rows = await service.sql(
      `SELECT record::jsonb ->> 'action' AS action, record::jsonb ->> 'decided_at' AS at FROM consent_ledger
        WHERE app_id = $1 AND record::jsonb ->> 'customer_id' = $2 ORDER BY ledger_sequence`,
      [app.appId, customer],
    );
    const latest = rows.toSorted((one, other) => (one.at < other.at ? -1 : 1)).at(-1);
    return latest?.action === rows.at(-1)?.action ? 0 : 1;
  }

  it('accept the tokens and idempotency keys of one another', async () => {
    for (const [place, node] of nodes.entries()) {
      const token = await service.token(app);
      const caller = at(place + 1);
      const key = freshKey();
      const body = { external_id: key };
      const first = await node.rest('POST', '/v1/customers', body, { 'idempotency-key': key });
      const again = await caller.rest('POST', '/v1/customers', body, {
        'idempotency-key': key,
        authorization: `Bearer ${token}`,
      });
      expect([first.status, again.status, again.text]).to.deep.equal([201, 201, first.text]);
      expect(again.headers.get('idempotent-replayed')).to.equal('true');
    }
  });

  itInProofs('work at once on what a gateway ahead of them accepted', async () => {
    const gateway = await shifted(2 * MINUTES, OWN_CLOCK, 'gateway');
    try {
      const node = app.at(gateway.url);
      const customer = await makeCustomer(node);
      const receipt = await grant(node, customer, 'personalization');
      await sendClaims(node, claimBody(customer));
      expect((await finished(node, await revoke(node, receipt))).status).to.equal('completed');
    } finally {
      await gateway.kill();
    }
  });
});

/** What sets the clock of a process's machine wrong. */
function wrongClock(minutes: number): Record<string, string> {
  return {
    NODE_OPTIONS: '--import=./dist/test/support/shiftedClock.js',
    CLOCK_SHIFT_MS: String(minutes * 60_000),
  };
}
