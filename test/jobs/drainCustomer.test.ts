import { mock } from 'node:test';
import { expect } from 'chai';
import pg from 'pg';
import { ingestClaims } from '../../src/commands/ingestClaims.js';
import { ingestEvents } from '../../src/commands/ingestEvents.js';
import { drainCustomer } from '../../src/jobs/drainCustomer.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import { IngestFixture } from '../support/IngestFixture.js';
import { RoundTrips } from '../support/RoundTrips.js';
import { skipUnless } from '../support/skipUnless.js';

/** Statements that read accepted items again, with the types of their parameters. */
const READING_AGAIN = {
  'INSERT INTO claims': 'text, text[], bigint[], text[]',
  'INSERT INTO events': 'text, text[], bigint[], text[], timestamptz, text',
};

describe('A transaction that drains several customers', () => {
  let test: TestDatabase;
  let fixture: IngestFixture;

  beforeEach(async () => {
    test = await createTestDatabase();
    fixture = new IngestFixture(test.serviceUrl);
    await fixture.prepare();
  });
  afterEach(async () => {
    await fixture.close();
    await test.drop();
  });

  /** Accepts so many events of each of so many customers. */
  async function accept(customers: number, each: number): Promise<string[]> {
    const ids: string[] = [];
    for (let made = 0; made < customers; made += 1)
      ids.push((await fixture.addCustomer('personalization')).id);
    for (const id of ids) {
      const events = Array.from({ length: each }, () => fixture.event(id));
      await fixture.command((tx, context) => ingestEvents(tx, context, { events }));
    }
    return ids.toSorted();
  }

  /** How many items wait, by customer. */
  async function waiting(): Promise<Map<string, number>> {
    const rows = await fixture.rows<{ customer_id: string; waiting: number }>(
      'SELECT customer_id, count(*)::integer AS waiting FROM inbox WHERE app_id = $1 GROUP BY customer_id',
    );
    return new Map(rows.map((row) => [row.customer_id, row.waiting]));
  }

  it('takes many items of few customers, and leaves the heads of the others free', async () => {
    const [first = '', ...others] = await accept(30, 60);
    const owner = new pg.Client({ connectionString: test.ownerUrl });
    await owner.connect();
    // The transaction cannot end before this lock is let go.
    await owner.query('BEGIN; LOCK TABLE tally_changes IN EXCLUSIVE MODE');
    const drained = drainCustomer(fixture.services, fixture.appId, first);
    const blocked = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'tally_changes'::regclass`;
    while ((await owner.query(blocked)).rowCount === 0) await new Promise((wake) => setTimeout(wake, 10));
    const free = await owner.query<{ customer_id: string }>(
      'SELECT customer_id FROM customer_heads WHERE app_id = $1 ORDER BY customer_id FOR UPDATE SKIP LOCKED',
      [fixture.appId],
    );
    await owner.end();
    expect(await drained).to.equal('more');
    expect(free.rows.map(({ customer_id }) => customer_id)).to.deep.equal(others.slice(24));
    const left = await waiting();
    const taken = [first, ...others].map((id) => 60 - (left.get(id) ?? 0));
    expect(taken).to.deep.equal([...Array<number>(25).fill(50), ...Array<number>(5).fill(0)]);
    await fixture.work();
    expect(await waiting()).to.deep.equal(new Map());
    const [row] = await fixture.rows<{ events: number; customers: number; last: number }>(
      `SELECT count(*)::integer AS events, count(DISTINCT customer_id)::integer AS customers,
              max(sequence)::integer AS last FROM events WHERE app_id = $1 AND status = 'processed'`,
    );
    expect(row).to.deep.equal({ events: 1800, customers: 30, last: 60 });
  });

  it('takes items of all customers where each has few', async () => {
    const [first = ''] = await accept(40, 2);
    expect(await drainCustomer(fixture.services, fixture.appId, first)).to.equal('done');
    expect(await waiting()).to.deep.equal(new Map());
  });

  it('removes what it applied and nothing between', async () => {
    const [first = '', second = ''] = await accept(2, 5);
    const mark = 'UPDATE inbox SET failed_at = now() WHERE app_id = $1 AND customer_id = $2 AND sequence = 3';
    await fixture.rows(mark, [second]);
    await drainCustomer(fixture.services, fixture.appId, first);
    const kept = await fixture.rows('SELECT customer_id, sequence FROM inbox WHERE app_id = $1');
    expect(kept).to.deep.equal([{ customer_id: second, sequence: 3 }]);
    const applied = await fixture.rows<{ sequence: number }>(
      'SELECT sequence FROM events WHERE app_id = $1 AND customer_id = $2 ORDER BY sequence',
      [second],
    );
    expect(applied.map(({ sequence }) => sequence)).to.deep.equal([1, 2, 4, 5]);
  });

  /** Drains while so many transactions lose their connection, after the event loop was busy for so long. */
  async function drainLosing(customerId: string, losses: number, activeMs: number): Promise<unknown> {
    const lost = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
    const busy = mock.method(performance, 'eventLoopUtilization', () => ({ active: activeMs }));
    const { database } = fixture.services;
    const transaction = mock.method(database, 'transaction');
    for (let call = 0; call < losses; call += 1)
      transaction.mock.mockImplementationOnce(() => Promise.reject(lost), call);
    try {
      return await drainCustomer(fixture.services, fixture.appId, customerId).catch(
        (error: unknown) => error,
      );
    } finally {
      busy.mock.restore();
      transaction.mock.restore();
    }
  }

  it('is followed by one for each item if its process was so slow that PostgreSQL ended it', async () => {
    const [first = ''] = await accept(1, 3);
    expect(await drainLosing(first, 1, 180_000)).to.equal('done');
    expect(await waiting()).to.deep.equal(new Map());
  });

  it('counts a failure of an item that alone took as long, and none of a lost database', async () => {
    const [first = ''] = await accept(1, 2);
    const attempts = 'SELECT attempts FROM inbox WHERE app_id = $1 ORDER BY sequence';
    expect(await drainLosing(first, 1, 179_999)).to.have.property('code', 'EPIPE');
    expect(await drainLosing(first, 3, 180_000)).to.have.property('code', 'EPIPE');
    expect(await fixture.rows(attempts)).to.deep.equal([{ attempts: 0 }, { attempts: 0 }]);
    expect(await drainLosing(first, 2, 180_000)).to.equal('done');
    expect(await fixture.rows(attempts)).to.deep.equal([{ attempts: 1 }, { attempts: 0 }]);
  });

  /** As it is planned once for all values. */
  async function planOf(statements: readonly string[], beginning: string, types: string): Promise<string> {
    const text = statements.find((one) => one.trim().startsWith(beginning)) ?? '';
    const nulls = types.split(', ').map(() => 'NULL');
    return fixture.services.database.transaction(
      fixture.appId,
      async (tx) => {
        await tx.query(`PREPARE again (${types}) AS ${text}`);
        const rows = await tx.query(`EXPLAIN EXECUTE again (${nulls.join()})`);
        await tx.query('DEALLOCATE again');
        return rows.map((row) => String(row['QUERY PLAN'])).join('\n');
      },
      { byKeys: true },
    );
  }

  /** The statements of a drain of events and a claim, while statistics are those of an empty inbox. */
  async function statementsOfDrain(): Promise<string[]> {
    const [first = ''] = await accept(2, 3);
    const claims = [fixture.claim(first)];
    await fixture.command((tx, context) => ingestClaims(tx, context, { claims }));
    const roundTrips = new RoundTrips();
    roundTrips.start();
    try {
      await drainCustomer(fixture.services, fixture.appId, first);
    } finally {
      roundTrips.stop();
    }
    return roundTrips.take('FROM inbox').flatMap((one) => one.statements);
  }

  it('finds its items by their keys while statistics are those of an empty inbox', async () => {
    const statements = await statementsOfDrain();
    for (const [beginning, types] of Object.entries(READING_AGAIN)) {
      const plan = await planOf(statements, beginning, types);
      expect(plan, beginning).to.include('(sequence = given.sequence)').and.not.include('Join Filter');
    }
  });

  it('removes its items among those of its customers, whatever statistics say', async function () {
    const [server] = await fixture.rows<{ version: number }>(
      `SELECT current_setting('server_version_num')::integer AS version WHERE $1::text IS NOT NULL`,
    );
    const hasLists = (server?.version ?? 0) >= 170_000;
    skipUnless(
      this,
      hasLists,
      'PostgreSQL before 17 looks for lists of keys only where statistics say it pays.',
    );
    const plan = await planOf(
      await statementsOfDrain(),
      'DELETE FROM inbox',
      'text, text[], bigint[], bigint[]',
    );
    expect(plan).to.match(/Index Cond: .*customer_id = (ANY \(\$2\)|given\.customer_id)/);
  });
});
