import { expect } from 'chai';
import pg from 'pg';
import { Database } from '../../src/database/Database.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';

const LOOK = `EXPLAIN SELECT app_id, subject FROM work_queue WHERE queue = 'customer' AND ready_at <= now()
  ORDER BY ready_at LIMIT 200`;

describe('A read in the order of an index', () => {
  let test: TestDatabase;
  let database: Database;

  before(async () => {
    test = await createTestDatabase();
    database = new Database({ url: test.serviceUrl, poolSize: 1 });
    const owner = new pg.Client({ connectionString: test.ownerUrl });
    await owner.connect();
    // Few wait for the queue, all over the table: sorting those few is what the planner prefers.
    await owner.query(`INSERT INTO work_queue (app_id, queue, subject, ready_at)
      SELECT 'app_one', CASE WHEN n % 50 = 0 THEN 'customer' ELSE 'delivery' END, n::text,
             now() - (n * 7919 % 5000) * interval '1 second' FROM generate_series(1, 5000) AS n`);
    await owner.query('ANALYZE work_queue');
    await owner.end();
  });
  after(async () => {
    await database.close();
    await test.drop();
  });

  const planOf = async (name: string, inOrder: boolean): Promise<string> => {
    const rows = await database.read({ name, text: LOOK, inOrder });
    return rows.map((row) => String(row['QUERY PLAN'])).join('\n');
  };

  it('never sorts the matching rows, which the same read does otherwise', async () => {
    expect(await planOf('sorted', false)).to.include('Sort');
    const plan = await planOf('in_order', true);
    expect(plan).to.include('work_queue_due_idx').and.not.include('Sort');
  });

  it('never sorts in a transaction either, and lets the statements behind it sort', async () => {
    const [rows, [setting]] = await database.transaction(null, async (tx) => [
      await tx.queryInOrder(LOOK),
      await tx.query(`SELECT current_setting('enable_sort') AS sorts`),
    ]);
    expect(JSON.stringify(rows)).to.include('work_queue_due_idx').and.not.include('Sort');
    expect(setting).to.deep.equal({ sorts: 'on' });
  });

  it('leaves the next statement of the connection as it was', async () => {
    await planOf('in_order', true);
    const [row] = await database.read({
      name: 'sorts',
      text: `SELECT current_setting('enable_sort') AS sorts`,
    });
    expect(row).to.deep.equal({ sorts: 'on' });
  });
});
