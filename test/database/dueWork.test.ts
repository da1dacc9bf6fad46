import { expect } from 'chai';
import pg from 'pg';
import { Database } from '../../src/database/Database.js';
import type { Transaction } from '../../src/database/Transaction.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import { RoundTrips } from '../support/RoundTrips.js';
import { WebhookHarness } from '../support/WebhookHarness.js';

const REMOVE = `EXPLAIN DELETE FROM work_queue WHERE app_id = $1 AND queue = 'customer' AND subject = ANY ($2)`;

describe('Subjects that leave the queue', () => {
  let test: TestDatabase;
  let database: Database;

  before(async () => {
    test = await createTestDatabase();
    database = new Database({ url: test.serviceUrl, poolSize: 1 });
  });
  after(async () => {
    await database.close();
    await test.drop();
  });

  for (const waiting of [0, 5000])
    it(`are found by their keys when ${waiting} wait and statistics are of an empty queue`, async () => {
      const owner = new pg.Client({ connectionString: test.ownerUrl });
      await owner.connect();
      await owner.query('VACUUM ANALYZE work_queue');
      await owner.query(
        `INSERT INTO work_queue (app_id, queue, subject, ready_at)
         SELECT 'app_one', 'customer', 'cus_' || n, now() FROM generate_series(1, $1::integer) AS n`,
        [waiting],
      );
      await owner.end();
      const plan = await database.transaction(
        'app_one',
        (tx) => tx.query(REMOVE, ['app_one', ['cus_1', 'cus_2']]),
        { byKeys: true },
      );
      expect(JSON.stringify(plan)).to.include('work_queue_pkey').and.not.include('work_queue_due_idx');
    });
});

describe('Messages that leave the outbox', () => {
  it('are found in the queue by their keys while it has no statistics', async () => {
    const harness = await WebhookHarness.open();
    const roundTrips = new RoundTrips();
    try {
      await harness.register('https://receiver.example/');
      await harness.announceEntry();
      roundTrips.start();
      await harness.worker.dispatchRound();
      const [dispatch] = roundTrips.take('DELETE FROM work_queue');
      const remove = dispatch?.statements.find((text) => text.includes('DELETE FROM work_queue'));
      // As a prepared statement, planned before its values are known.
      const explain = async (tx: Transaction): Promise<unknown> => {
        await tx.query(`PREPARE removal (text, text[], text) AS ${remove}`);
        return tx.query(`EXPLAIN EXECUTE removal ('app_one', '{msg_1}', 'outbox')`);
      };
      const plan = await harness.database.transaction(harness.appId, explain, { byKeys: true });
      expect(JSON.stringify(plan)).to.include('work_queue_pkey').and.not.include('work_queue_outbox_idx');
    } finally {
      roundTrips.stop();
      await harness.close();
    }
  });
});
