import { expect } from 'chai';
import pg from 'pg';
import { createEntry } from '../../src/commands/createEntry.js';
import { ingestClaims } from '../../src/commands/ingestClaims.js';
import { ingestEvents } from '../../src/commands/ingestEvents.js';
import { rebuildOntology } from '../../src/commands/rebuildOntology.js';
import { drainCustomer } from '../../src/jobs/drainCustomer.js';
import { registerIngestMetrics } from '../../src/jobs/ingestMetrics.js';
import { QueueWorker } from '../../src/jobs/QueueWorker.js';
import { runWorkflow } from '../../src/jobs/runWorkflow.js';
import { sweepIdempotencyKeys } from '../../src/jobs/sweepIdempotencyKeys.js';
import { listEntries } from '../../src/loaders/loadEntries.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import { IngestFixture } from '../support/IngestFixture.js';

describe('The background work of ingestion', () => {
  let database: TestDatabase;
  let owner: pg.Client;
  let fixture: IngestFixture;

  before(async () => {
    database = await createTestDatabase();
    owner = new pg.Client({ connectionString: database.ownerUrl });
    await owner.connect();
    fixture = new IngestFixture(database.serviceUrl);
    await fixture.prepare();
  });

  after(async () => {
    await fixture.close();
    await owner.end();
    await database.drop();
  });

  it('leaves the time of the latest decision, whichever clock applies items', async () => {
    const { id } = await fixture.addCustomer('personalization');
    const later = new Date(fixture.services.clock().getTime() + 300_000).toISOString();
    await owner.query('UPDATE customer_heads SET changed_at = $2 WHERE customer_id = $1', [id, later]);
    await fixture.command((tx, context) => ingestClaims(tx, context, { claims: [fixture.claim(id)] }));
    await drainCustomer(fixture.services, fixture.appId, id);
    const [head] = await fixture.rows(
      `SELECT applied_sequence, changed_at = $3 AS kept FROM customer_heads
        WHERE app_id = $1 AND customer_id = $2`,
      [id, later],
    );
    expect(head).to.deep.include({ applied_sequence: 1, kept: true });
  });

  it('gives up a workflow with the code of claims that were given up', async () => {
    const { receiptId } = await fixture.addCustomer('personalization');
    const workflowId = await fixture.revoke(receiptId);
    await owner.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON workflows FOR EACH ROW WHEN (NEW.status = 'completed')
        EXECUTE FUNCTION refuse();`);
    const states: unknown[] = [];
    for (let times = 0; times < 6; times += 1) {
      await runWorkflow(fixture.services, fixture.appId, workflowId);
      states.push(
        ...(await fixture.rows(
          `SELECT status, error ->> 'code' AS code FROM workflows WHERE app_id = $1 AND workflow_id = $2`,
          [workflowId],
        )),
      );
    }
    await owner.query('DROP TRIGGER refuse ON workflows; DROP FUNCTION refuse');
    const open = { status: 'accepted', code: null };
    const failed = { status: 'failed', code: 'processing_failed' };
    expect(states).to.deep.equal([open, open, open, open, open, failed]);
  });

  it('gives claims a new workflow when the previous one has ended', async () => {
    const { id, receiptId } = await fixture.addCustomer('personalization');
    const send = async (): Promise<string> => {
      const sent = await fixture.command((tx, context) =>
        ingestClaims(tx, context, { claims: [fixture.claim(id)] }),
      );
      return sent.data[0]?.workflowId ?? '';
    };
    const statusOf = async (workflowId: string): Promise<unknown> => {
      const [row] = await fixture.rows(
        'SELECT status FROM workflows WHERE app_id = $1 AND workflow_id = $2',
        [workflowId],
      );
      return row?.['status'];
    };
    const first = await send();
    expect(await send()).to.equal(first);
    const cascade = await fixture.revoke(receiptId);
    await runWorkflow(fixture.services, fixture.appId, cascade);
    expect([await statusOf(first), await statusOf(cascade)]).to.deep.equal(['completed', 'completed']);
    expect(
      await fixture.rows('SELECT 1 FROM inbox WHERE app_id = $1 AND customer_id = $2', [id]),
    ).to.deep.equal([]);
    await fixture.grant(id, 'personalization');
    const second = await send();
    expect(second).to.not.equal(first);
    expect(await statusOf(second)).to.equal('accepted');
    await fixture.work();
    expect(await statusOf(second)).to.equal('completed');
  });

  it('counts items that a revocation finds waiting as refused, except those given up before', async () => {
    const counts = async (): Promise<Record<string, number>> => {
      const rows = await fixture.rows<{ measure: string; amount: number }>(
        `SELECT measure, sum(amount)::integer AS amount FROM (
           SELECT measure, amount FROM tally_changes WHERE app_id = $1
           UNION ALL SELECT measure, amount FROM tallies WHERE app_id = $1) counted
          GROUP BY measure`,
      );
      return Object.fromEntries(rows.map(({ measure, amount }) => [measure, amount]));
    };
    const before = await counts();
    const { id, receiptId } = await fixture.addCustomer('personalization');
    await fixture.command((tx, context) =>
      ingestClaims(tx, context, { claims: [1, 2, 3].map((value) => fixture.claim(id, { value })) }),
    );
    const events = [fixture.event(id), fixture.event(id)];
    await fixture.command((tx, context) => ingestEvents(tx, context, { events }));
    await owner.query('UPDATE inbox SET failed_at = now() WHERE customer_id = $1 AND sequence = 1', [id]);
    await runWorkflow(fixture.services, fixture.appId, await fixture.revoke(receiptId));
    const after = await counts();
    const grown = (measure: string): number => (after[measure] ?? 0) - (before[measure] ?? 0);
    expect(['claim_accepted', 'claim_refused', 'event_accepted', 'event_refused'].map(grown)).to.deep.equal([
      3, 2, 2, 2,
    ]);
  });

  it('retries a locked customer at intervals', async () => {
    const { id } = await fixture.addCustomer('personalization');
    await fixture.command((tx, context) => ingestEvents(tx, context, { events: [fixture.event(id)] }));
    await owner.query('BEGIN');
    await owner.query('SELECT 1 FROM customer_heads WHERE customer_id = $1 FOR UPDATE', [id]);
    const pollMs = 100;
    let tries = 0;
    const worker = new QueueWorker(fixture.services, {
      queue: 'customer',
      concurrency: 4,
      pollMs,
      work: (services, appId, subject) => {
        tries += 1;
        return drainCustomer(services, appId, subject);
      },
    });
    worker.start();
    const tried = (): number => tries;
    while (tried() === 0) await new Promise((wake) => setTimeout(wake, 20));
    const began = performance.now();
    await new Promise((wake) => setTimeout(wake, 550));
    const [whileLocked, intervals] = [tries, (performance.now() - began) / pollMs];
    await owner.query('ROLLBACK');
    const waits = async (): Promise<number> =>
      (await fixture.rows('SELECT 1 FROM inbox WHERE app_id = $1')).length;
    while ((await waits()) > 0) await new Promise((wake) => setTimeout(wake, 20));
    await worker.stop();
    // On a busy machine the pause was longer.
    expect(whileLocked).to.be.at.most(intervals + 2.5);
  });

  it('deletes idempotency keys after 24 hours and keeps newer ones', async () => {
    const { id } = await fixture.addCustomer('personalization');
    const events = [fixture.event(id)];
    await fixture.request(
      'ingestEvents',
      { events },
      (tx, context) => ingestEvents(tx, context, { events }),
      'old-key-0123456789',
    );
    await fixture.request(
      'ingestEvents',
      { events },
      (tx, context) => ingestEvents(tx, context, { events }),
      'new-key-0123456789',
    );
    await fixture.rows(
      `UPDATE idempotency_keys SET created_at = created_at - interval '24 hours 1 minute' WHERE app_id = $1
        AND key LIKE 'old%' RETURNING 1`,
    );
    expect(await sweepIdempotencyKeys(fixture.services)).to.equal(false);
    const keys = await fixture.rows('SELECT key FROM idempotency_keys WHERE app_id = $1');
    expect(keys).to.deep.equal([{ key: 'new-key-0123456789' }]);
  });

  it('counts waiting and settled items in metrics', async () => {
    const { metrics } = fixture.services;
    registerIngestMetrics(metrics, fixture.services);
    const { id } = await fixture.addCustomer('personalization');
    const value = async (name: string, labels: string): Promise<number> => {
      const line = (await metrics.metrics())
        .split('\n')
        .find((text) => text.startsWith(`${name}{${labels}}`));
      return Number(line?.split(' ').at(-1) ?? 0);
    };
    await fixture.work();
    const applied = await value('ingest_items_settled_total', 'kind="event",outcome="applied"');
    await fixture.command((tx, context) =>
      ingestEvents(tx, context, { events: [fixture.event(id), fixture.event(id)] }),
    );
    expect(await value('work_queue_waiting', 'queue="customer"')).to.equal(1);
    await fixture.work();
    expect(await value('work_queue_waiting', 'queue="customer"')).to.equal(0);
    expect(await value('ingest_items_settled_total', 'kind="event",outcome="applied"')).to.equal(applied + 2);
  });

  it('returns complete results while an index is rebuilt and written to', async () => {
    const title = (index: number): string => `title-${index % 5}`;
    const write = (index: number, fields: Record<string, string>): Promise<unknown> =>
      fixture.command((tx, context) =>
        createEntry(tx, context, { ontology: 'thing', entryId: `t-${index}`, fields }),
      );
    for (let index = 0; index < 60; index += 1) await write(index, { title: title(index) });
    const { workflowId } = await fixture.command((tx, context) => rebuildOntology(tx, context, 'thing'));
    const again = await fixture.command((tx, context) => rebuildOntology(tx, context, 'thing'));
    expect(again.workflowId).to.equal(workflowId);

    const context = () => fixture.requestOf('listEntries', {});
    const found = async (): Promise<number> =>
      (await listEntries(context(), 'thing', { title: 'title-0' }, { first: 100 })).edges.length;
    const counts = [await found()];
    let step = 0;
    while ((await runWorkflow(fixture.services, fixture.appId, workflowId)) === 'more') {
      // Between any two steps one entry leaves the value and another comes to it.
      await write(step * 5, { title: 'elsewhere' });
      await write(100 + step, { title: 'title-0' });
      counts.push(await found());
      step += 1;
    }
    counts.push(await found());
    expect(step).to.be.greaterThan(3);
    expect(new Set(counts)).to.deep.equal(new Set([12]));
    const [index] = await fixture.rows(
      `SELECT generation, building FROM entry_indexes WHERE app_id = $1 AND ontology_id = 'thing'`,
    );
    expect(index).to.deep.equal({ generation: 2, building: null });
    const [wrong] = await fixture.rows(
      `SELECT count(*) AS n FROM entry_filters WHERE app_id = $1 AND (generation <> 2 OR value_key NOT IN (
         SELECT to_jsonb(fields ->> 'f1')::text FROM entries e WHERE e.app_id = $1
           AND e.entry_id = entry_filters.entry_id))`,
    );
    expect(wrong).to.deep.equal({ n: 0 });
  });
});
