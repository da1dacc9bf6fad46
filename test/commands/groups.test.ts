import { expect } from 'chai';
import pg from 'pg';
import { CREATE_CONSENT_RECEIPT } from '../../src/commands/createConsentReceipts.js';
import { CREATE_CUSTOMER } from '../../src/commands/createCustomer.js';
import { GroupCommit } from '../../src/concurrency/GroupCommit.js';
import type { GroupedCall } from '../../src/concurrency/GroupCommit.js';
import { INGEST_CLAIM } from '../../src/commands/ingestClaims.js';
import { runGrouped } from '../../src/commands/runGrouped.js';
import type { GroupedOperation } from '../../src/commands/runGrouped.js';
import { verifyLedger } from '../../src/commands/verifyLedger.js';
import { PLACE_OF } from '../../src/domain/purposes.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import { IngestFixture } from '../support/IngestFixture.js';
import { RoundTrips } from '../support/RoundTrips.js';

const PERSONALIZATION = PLACE_OF['personalization'];
const SUPPORT = PLACE_OF['support'];

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('GroupCommit', () => {
  const groups: string[][] = [];
  let finish: ((failure?: Error) => void)[] = [];
  const together = (calls: readonly GroupedCall[]): Promise<PromiseSettledResult<string>[]> => {
    groups.push(calls.map(({ subject }) => subject));
    return new Promise((resolve, reject) =>
      finish.push((failure) =>
        failure === undefined
          ? resolve(calls.map(({ subject }) => ({ status: 'fulfilled', value: `${subject} in a group` })))
          : reject(failure),
      ),
    );
  };
  const alone = async ({ subject }: GroupedCall): Promise<string> => {
    if (subject === 'broken') throw new Error('broken');
    return `${subject} alone`;
  };
  const call = (subject: string, key = subject): GroupedCall => ({ subject, key });
  let idle = 0;
  let line: GroupCommit<GroupedCall, string>;
  const run = (...calls: readonly GroupedCall[]): Promise<string>[] => calls.map((one) => line.run(one));

  beforeEach(() => {
    groups.length = 0;
    finish = [];
    line = new GroupCommit({ together, alone, mayRunAlone: ({ key }) => key !== 'sent' }, () => (idle += 1));
  });

  async function finishNext(failure?: Error): Promise<void> {
    finish.shift()?.(failure);
    await turn();
  }

  it('runs few calls at once and later ones in groups, in the order of their locks', async () => {
    const ends = run(...['a', 'b', 'e', 'd', 'c'].map((name) => call(name)));
    expect(groups).to.deep.equal([['a'], ['b']]);
    await finishNext();
    expect(groups.at(-1)).to.deep.equal(['c', 'd', 'e']);
    await finishNext();
    const before = idle;
    await finishNext();
    expect(idle).to.equal(before + 1);
    expect(await Promise.all(ends)).to.deep.equal(
      ['a', 'b', 'e', 'd', 'c'].map((name) => `${name} in a group`),
    );
  });

  it('puts no two calls with the same lock or key into one group', async () => {
    run(call('a'), call('b'), call('c', 'k1'), call('c', 'k2'), call('d', 'k1'), call('e', 'k3'));
    await finishNext();
    expect(groups.at(-1)).to.deep.equal(['c', 'e']);
    await finishNext();
    expect(groups.at(-1)).to.deep.equal(['c', 'd']);
  });

  it('starts another group while one hangs', async () => {
    run(call('a'), call('b'), call('c'));
    while (groups.length < 3) await turn();
    expect(groups.at(-1)).to.deep.equal(['c']);
  });

  it('runs the calls of a failed group alone, except those that may not and a group of one', async () => {
    const ends = Promise.allSettled(run(call('a'), call('b'), call('broken'), call('c'), call('d', 'sent')));
    await finishNext(new Error('a itself'));
    await finishNext();
    await finishNext(new Error('the group'));
    expect(
      (await ends).map((end) => (end.status === 'fulfilled' ? end.value : String(end.reason))),
    ).to.deep.equal(['Error: a itself', 'b in a group', 'Error: broken', 'c alone', 'Error: the group']);
  });
});

describe('Commands in groups', () => {
  const roundTrips = new RoundTrips();
  let database: TestDatabase;
  let fixture: IngestFixture;

  before(async () => {
    database = await createTestDatabase();
    fixture = new IngestFixture(database.serviceUrl);
    await fixture.prepare();
  });
  after(async () => {
    await fixture.close();
    await database.drop();
  });

  const settle = <Input, Result>(
    operation: GroupedOperation<Input, Result>,
    inputs: readonly (readonly [Input, string?])[],
  ): Promise<PromiseSettledResult<Result>[]> =>
    Promise.allSettled(
      inputs.map(([input, key]) =>
        runGrouped(fixture.requestOf(operation.name, input, key), operation, input),
      ),
    );

  async function customers(count: number): Promise<string[]> {
    const made = await Promise.all(
      Array.from({ length: count }, () => fixture.addCustomer('personalization')),
    );
    return made.map(({ id }) => id);
  }

  const receiptsOf = async (customerId: string): Promise<string[]> => {
    const rows = await fixture.rows<{ receipt_id: string }>(
      'SELECT receipt_id FROM consent_receipts WHERE app_id = $1 AND customer_id = $2',
      [customerId],
    );
    return rows.map((row) => row.receipt_id);
  };

  const codesOf = (settled: readonly PromiseSettledResult<unknown>[]): string[] =>
    settled.map((one) =>
      one.status === 'fulfilled' ? 'done' : String((one.reason as { code?: string }).code),
    );

  it('add the receipts of an app to a valid ledger in few transactions', async () => {
    const ids = await customers(24);
    const { records: before } = await verifyLedger(fixture.services.database, fixture.appId);
    roundTrips.start();
    const settled = await settle(
      CREATE_CONSENT_RECEIPT,
      ids.map((customerId) => [{ customerId, purposes: ['support' as const] }] as const),
    );
    roundTrips.stop();
    expect(codesOf(settled)).to.deep.equal(ids.map(() => 'done'));
    expect(roundTrips.take('INSERT INTO consent_ledger (').length).to.be.lessThan(12);
    const { records, problem } = await verifyLedger(fixture.services.database, fixture.appId);
    expect({ records, problem }).to.deep.equal({ records: before + 24, problem: undefined });
    const heads = await fixture.rows<{
      granted_mask: number;
      latest_receipt_id: string;
      customer_id: string;
    }>(
      'SELECT customer_id, granted_mask, latest_receipt_id FROM customer_heads WHERE app_id = $1 AND customer_id = ANY ($2)',
      [ids],
    );
    const receiptOf = new Map(heads.map((head) => [head.customer_id, head.latest_receipt_id]));
    for (const [at, one] of settled.entries())
      expect(receiptOf.get(ids[at] ?? '')).to.equal(one.status === 'fulfilled' && one.value.id);
  });

  it('grant each customer its own purposes, in epochs of its own', async () => {
    const ids = await customers(12);
    // A third never withdrew, a third withdrew, a third granted again.
    for (const [at, id] of ids.entries()) {
      if (at % 3 === 0) continue;
      for (const receiptId of await receiptsOf(id)) await fixture.revoke(receiptId);
      if (at % 3 === 2) await fixture.grant(id, 'personalization');
    }
    const asked = (at: number): ('personalization' | 'support')[] =>
      at % 2 === 0 ? ['support', 'personalization'] : ['support'];
    const settled = await settle(
      CREATE_CONSENT_RECEIPT,
      ids.map((customerId, at) => [
        { customerId, purposes: asked(at), termsVersion: `terms ${at}`, evidence: { locale: `en-${at}` } },
      ]),
    );
    expect(codesOf(settled)).to.deep.equal(ids.map(() => 'done'));
    for (const [at, customerId] of ids.entries()) {
      const opened = at % 3 === 0 ? 1 : at % 3 === 1 ? Number(at % 2 === 0) + 1 : 2;
      const isOpen = at % 3 !== 1 || at % 2 === 0;
      const [head] = await fixture.rows<{ mask: number; epochs: number[]; receipt: string }>(
        `SELECT granted_mask AS mask, epochs, latest_receipt_id AS receipt
           FROM customer_heads WHERE app_id = $1 AND customer_id = $2`,
        [customerId],
      );
      const receipts = await fixture.rows(
        'SELECT terms_version, evidence FROM consent_receipts WHERE app_id = $1 AND receipt_id = $2',
        [head?.receipt],
      );
      const purposes = await fixture.rows<{ purpose: number }>(
        `SELECT purpose FROM consent_receipt_purposes WHERE app_id = $1 AND receipt_id = $2 ORDER BY position`,
        [head?.receipt],
      );
      const granted = await fixture.rows<{ purpose: number }>(
        `SELECT purpose FROM customer_consents
          WHERE app_id = $1 AND customer_id = $2 AND status = 'granted' ORDER BY purpose`,
        [customerId],
      );
      const open = isOpen ? [PERSONALIZATION, SUPPORT] : [SUPPORT];
      expect(
        {
          mask: head?.mask,
          epochs: [head?.epochs[PERSONALIZATION], head?.epochs[SUPPORT]],
          receipts,
          purposes: purposes.map(({ purpose }) => purpose),
          granted: granted.map(({ purpose }) => purpose),
        },
        `customer ${at}`,
      ).to.deep.equal({
        mask: open.reduce((mask, purpose) => mask | (1 << purpose), 0),
        epochs: [opened, 1],
        receipts: [{ terms_version: `terms ${at}`, evidence: { locale: `en-${at}` } }],
        purposes: asked(at).map((purpose) => PLACE_OF[purpose]),
        granted: open.toSorted((a, b) => a - b),
      });
    }
  });

  it('refuse one and free its key without touching the others', async () => {
    const ids = await customers(10);
    const closed = (await fixture.addCustomer('support')).id;
    const inputs = [...ids.slice(0, 5), 'cus_nobody', closed, ...ids.slice(5)].map(
      (id, at) => [fixture.claim(id), `groups-refused-${at}`] as const,
    );
    const codes = codesOf(await settle(INGEST_CLAIM, inputs));
    expect(codes).to.deep.equal(
      inputs.map((_, at) => ({ 5: 'validation_failed', 6: 'consent_denied' })[at] ?? 'done'),
    );
    const kept = await fixture.rows<{ key: string }>(
      `SELECT key FROM idempotency_keys WHERE app_id = $1 AND key LIKE 'groups-refused-%'`,
    );
    expect(kept.map(({ key }) => key)).to.have.members(
      inputs.map(([, key]) => key).filter((_, at) => at !== 5 && at !== 6),
    );
  });

  it('number the items of one customer in order without gaps', async () => {
    const [id = ''] = await customers(1);
    const settled = await settle(
      INGEST_CLAIM,
      Array.from({ length: 12 }, () => [fixture.claim(id)] as const),
    );
    const sequences = settled.map((one) => (one.status === 'fulfilled' ? one.value.sequence : 0));
    expect(sequences.toSorted((a, b) => a - b)).to.deep.equal(Array.from({ length: 12 }, (_, at) => at + 1));
  });

  it('run once per key for any number of requests', async () => {
    const [id = ''] = await customers(1);
    const input = fixture.claim(id);
    const settled = await settle(
      INGEST_CLAIM,
      Array.from({ length: 12 }, () => [input, 'groups-same-key'] as const),
    );
    const [first] = settled;
    expect(first?.status).to.equal('fulfilled');
    for (const one of settled) expect(one).to.deep.equal(first);
    expect(await fixture.rows('SELECT FROM inbox WHERE app_id = $1 AND customer_id = $2', [id])).lengthOf(1);
  });

  it('answer a used key with its first result within a group', async () => {
    const input = { externalId: 'groups-replayed' };
    const [first] = await settle(CREATE_CUSTOMER, [[input, 'groups-replayed-key']]);
    const all = await settle(CREATE_CUSTOMER, [
      ...Array.from({ length: 8 }, (_, at) => [{ externalId: `groups-company-${at}` }] as const),
      [input, 'groups-replayed-key'] as const,
    ]);
    expect(all.at(-1)).to.deep.equal(first);
    expect(codesOf(all)).to.deep.equal(all.map(() => 'done'));
  });

  it('leave the others unharmed by one that fails in PostgreSQL', async () => {
    const owner = new pg.Client({ connectionString: database.ownerUrl });
    await owner.connect();
    await owner.query(`CREATE FUNCTION fail_here() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN IF NEW.external_id = 'groups-broken' THEN RAISE EXCEPTION 'broken'; END IF; RETURN NEW; END $$`);
    await owner.query(
      'CREATE TRIGGER fail_here BEFORE INSERT ON customers FOR EACH ROW EXECUTE FUNCTION fail_here()',
    );
    const names = Array.from({ length: 10 }, (_, at) =>
      at === 6 ? 'groups-broken' : `groups-unharmed-${at}`,
    );
    const settled = await settle(
      CREATE_CUSTOMER,
      names.map((externalId) => [{ externalId }] as const),
    );
    await owner.query('DROP TRIGGER fail_here ON customers');
    await owner.end();
    expect(settled.map(({ status }) => status)).to.deep.equal(
      names.map((_, at) => (at === 6 ? 'rejected' : 'fulfilled')),
    );
  });

  it('bound the wait for a lock that another holds', async () => {
    const ids = await customers(8);
    const holder = new pg.Client({ connectionString: database.ownerUrl });
    await holder.connect();
    await holder.query('BEGIN');
    const lock = 'SELECT FROM customer_heads WHERE app_id = $1 AND customer_id = $2 FOR UPDATE';
    await holder.query(lock, [fixture.appId, ids[4]]);
    const done: string[] = [];
    const running = ids.map(async (id) => {
      const input = fixture.claim(id);
      await runGrouped(fixture.requestOf('claim', input), INGEST_CLAIM, input);
      done.push(id);
    });
    while (done.length < ids.length - 1) await turn();
    expect(done).not.to.include(ids[4]);
    await holder.query('COMMIT');
    await holder.end();
    await Promise.all(running);
    expect(done).to.include(ids[4]);
  });
});
