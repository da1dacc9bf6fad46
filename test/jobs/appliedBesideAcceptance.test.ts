import { expect } from 'chai';
import pg from 'pg';
import { deleteCustomer } from '../../src/commands/deleteCustomer.js';
import { ingestClaims } from '../../src/commands/ingestClaims.js';
import { ingestEvents } from '../../src/commands/ingestEvents.js';
import { drainCustomer } from '../../src/jobs/drainCustomer.js';
import type { WorkOutcome } from '../../src/jobs/QueueWorker.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import { IngestFixture } from '../support/IngestFixture.js';

/** What is stored of a customer, and what waits. */
const STORED = `
  SELECT (SELECT count(*)::integer FROM claims WHERE app_id = $1 AND customer_id = $2) AS claims,
         (SELECT count(*)::integer FROM facts WHERE app_id = $1 AND customer_id = $2) AS facts,
         (SELECT count(*)::integer FROM intents WHERE app_id = $1 AND customer_id = $2) AS intents,
         (SELECT count(*)::integer FROM inbox WHERE app_id = $1 AND customer_id = $2) AS waiting,
         (SELECT coalesce(jsonb_object_agg(status, n), '{}') FROM (SELECT status, count(*) AS n FROM events
            WHERE app_id = $1 AND customer_id = $2 GROUP BY status) e) AS events`;

/** Whoever writes an intent sleeps while `pauses` has a row: that is no wait for a lock, so no bound ends it. */
const PAUSE = `
  CREATE TABLE IF NOT EXISTS pauses (pause integer);
  INSERT INTO pauses VALUES (1);
  CREATE OR REPLACE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
      WHILE EXISTS (SELECT FROM public.pauses) LOOP PERFORM pg_sleep(0.005); END LOOP;
      RETURN NULL;
    END $$;
  CREATE OR REPLACE TRIGGER pause BEFORE INSERT ON intents FOR EACH STATEMENT EXECUTE FUNCTION pause()`;

const NOTHING = { claims: 0, facts: 0, intents: 0, waiting: 0 };

describe('Items that are applied', () => {
  let test: TestDatabase;
  let fixture: IngestFixture;
  let owner: pg.Client;
  let customer: { id: string; receiptId: string };

  beforeEach(async () => {
    test = await createTestDatabase();
    fixture = new IngestFixture(test.serviceUrl);
    await fixture.prepare();
    owner = new pg.Client({ connectionString: test.ownerUrl });
    await owner.connect();
    customer = await fixture.addCustomer('personalization');
    await accept();
  });
  afterEach(async () => {
    await owner.end();
    await fixture.close();
    await test.drop();
  });

  /** Accepts a claim and an event. */
  async function accept(): Promise<void> {
    const { id } = customer;
    const claims = [fixture.claim(id)];
    const events = [fixture.event(id)];
    await fixture.command((tx, context) => ingestClaims(tx, context, { claims }));
    await fixture.command((tx, context) => ingestEvents(tx, context, { events }));
  }

  /** Applies what waits, and calls back when effects are being written and the heads not yet locked. */
  async function whileApplying(work: () => Promise<unknown>): Promise<WorkOutcome> {
    await owner.query(PAUSE);
    const drained = drainCustomer(fixture.services, fixture.appId, customer.id);
    await seen(`SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()`);
    try {
      await work();
    } finally {
      await owner.query('DELETE FROM pauses');
    }
    return drained;
  }

  /** Waits until the statement finds something. */
  async function seen(statement: string): Promise<void> {
    while ((await owner.query(statement)).rowCount === 0) await new Promise((wake) => setTimeout(wake, 5));
  }

  async function stored(): Promise<Record<string, unknown> | undefined> {
    const [row] = await fixture.rows(STORED, [customer.id]);
    return row;
  }

  it('do not hold up acceptance, and what is accepted meanwhile is found by the next look', async () => {
    await whileApplying(accept);
    expect(await stored()).to.deep.include({ claims: 1, waiting: 2, events: { processed: 1 } });
    await fixture.work();
    expect(await stored()).to.deep.include({ claims: 2, waiting: 0, events: { processed: 2 } });
    const [head] = await fixture.rows<{ sequence: number; applied_sequence: number }>(
      'SELECT sequence, applied_sequence FROM customer_heads WHERE app_id = $1 AND customer_id = $2',
      [customer.id],
    );
    expect(head).to.deep.equal({ sequence: 4, applied_sequence: 4 });
  });

  it('keep the workflow of claims open that join it meanwhile', async () => {
    await whileApplying(accept);
    const statuses = (): Promise<{ status: string }[]> =>
      fixture.rows<{ status: string }>(
        `SELECT status FROM workflows WHERE app_id = $1 AND type = 'profile_recompute'
          AND subject ? 'customer_id'`,
      );
    expect(await statuses()).to.deep.equal([{ status: 'running' }]);
    await fixture.work();
    expect(await statuses()).to.deep.equal([{ status: 'completed' }]);
  });

  it('do not hold up a withdrawal, and are refused when it commits first', async () => {
    await whileApplying(() => fixture.revoke(customer.receiptId));
    expect(await stored()).to.deep.equal({ ...NOTHING, events: { rejected: 1 } });
    await fixture.work();
    expect(await stored()).to.deep.equal({ ...NOTHING, events: { rejected: 1 } });
  });

  it('are those of the new epoch only, when a purpose is granted anew meanwhile', async () => {
    await whileApplying(async () => {
      await fixture.revoke(customer.receiptId);
      await fixture.grant(customer.id, 'personalization');
      await accept();
    });
    await fixture.work();
    expect(await stored()).to.deep.equal({
      claims: 1,
      facts: 1,
      intents: 1,
      waiting: 0,
      events: { processed: 1, rejected: 1 },
    });
    const epochs = await fixture.rows(
      `SELECT DISTINCT epoch FROM (SELECT app_id, epoch FROM claims UNION ALL SELECT app_id, epoch FROM facts
         UNION ALL SELECT app_id, epoch FROM intents) kept WHERE app_id = $1`,
    );
    expect(epochs).to.deep.equal([{ epoch: 2 }]);
  });

  it('are applied by one worker at a time', async () => {
    let other: WorkOutcome | undefined;
    await whileApplying(async () => {
      other = await drainCustomer(fixture.services, fixture.appId, customer.id);
    });
    expect(other).to.equal('locked');
    expect(await stored()).to.deep.include({ claims: 1, waiting: 0, events: { processed: 1 } });
  });

  it('are committed before an erasure that comes later, which leaves nothing', async () => {
    let erased: Promise<unknown> | undefined;
    let isErased = false;
    await whileApplying(async () => {
      erased = fixture
        .command((tx, context) => deleteCustomer(tx, context, customer.id))
        .then(() => (isErased = true));
      await seen(`SELECT FROM pg_locks WHERE NOT granted AND locktype IN ('transactionid', 'tuple')`);
      expect(isErased).to.equal(false);
      // Holding the head it would wait for what the worker wrote, and the worker for the head.
      const free = 'SELECT FROM customer_heads WHERE customer_id = $1 FOR NO KEY UPDATE SKIP LOCKED';
      expect((await owner.query(free, [customer.id])).rowCount).to.equal(1);
    });
    await erased;
    expect(await stored()).to.deep.equal({ ...NOTHING, events: {} });
    expect(await drainCustomer(fixture.services, fixture.appId, customer.id)).to.equal('done');
  });

  it('leave out a customer whose head others share for long, and hold up no others', async () => {
    const other = await fixture.addCustomer('personalization');
    const events = [fixture.event(other.id)];
    await fixture.command((tx, context) => ingestEvents(tx, context, { events }));
    const [first = '', shared = ''] = [customer.id, other.id].toSorted();
    await owner.query('BEGIN');
    await owner.query('SELECT FROM customer_heads WHERE customer_id = $1 FOR SHARE', [shared]);
    expect(await drainCustomer(fixture.services, fixture.appId, first)).to.equal('done');
    await owner.query('COMMIT');
    const waiting = await fixture.rows('SELECT DISTINCT customer_id FROM inbox WHERE app_id = $1');
    expect(waiting).to.deep.equal([{ customer_id: shared }]);
    await fixture.work();
    expect(await fixture.rows('SELECT FROM inbox WHERE app_id = $1')).to.have.length(0);
  });

  it('wait for a row that another session has locked while all other customers are served', async () => {
    const ids = [customer.id];
    for (let made = 1; made < 12; made += 1) {
      const { id } = await fixture.addCustomer('personalization');
      const claims = [fixture.claim(id)];
      await fixture.command((tx, context) => ingestClaims(tx, context, { claims }));
      ids.push(id);
    }
    ids.sort();
    const locked = [3, 4, 10].map((at) => ids[at] ?? '');
    await owner.query('BEGIN');
    // What applying writes refers to this row.
    await owner.query('SELECT FROM customers WHERE customer_id = ANY ($1) FOR UPDATE', [locked]);
    const begun = performance.now();
    const ready = `SELECT subject FROM work_queue
      WHERE app_id = $1 AND queue = 'customer' AND attempts = 0 ORDER BY subject`;
    for (;;) {
      const [next] = await fixture.rows<{ subject: string }>(ready);
      if (next === undefined) break;
      await drainCustomer(fixture.services, fixture.appId, next.subject);
    }
    expect(performance.now() - begun).to.be.below(5000);
    const waiting = 'SELECT DISTINCT customer_id FROM inbox WHERE app_id = $1 ORDER BY customer_id';
    expect(await fixture.rows(waiting)).to.deep.equal(locked.map((customer_id) => ({ customer_id })));
    expect(await fixture.rows(ready)).to.deep.equal([]);

    // Each tries again, alone, each time after twice the wait.
    const [first = ''] = locked;
    const readyAt = async (): Promise<number> => {
      const rows = await fixture.rows<{ ready_at: Date }>(
        `SELECT ready_at FROM work_queue WHERE app_id = $1 AND queue = 'customer' AND subject = $2`,
        [first],
      );
      return new Date(rows[0]?.ready_at ?? 0).getTime();
    };
    for (const waitMs of [1000, 2000, 4000, 8000, 8000]) {
      fixture.now = new Date(await readyAt());
      expect(await drainCustomer(fixture.services, fixture.appId, first)).to.equal('locked');
      expect((await readyAt()) - fixture.now.getTime()).to.equal(waitMs);
    }

    await owner.query('COMMIT');
    fixture.now = new Date(Date.now() + 60_000);
    await fixture.work();
    expect(await fixture.rows(waiting)).to.deep.equal([]);
  });
});
