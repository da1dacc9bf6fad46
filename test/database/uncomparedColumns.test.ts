import { expect } from 'chai';
import pg from 'pg';
import { UncomparedColumns1763600000066 } from '../../entities/migrations/1763600000066-uncompared-columns.js';
import { createDataSource } from '../../ormconfig.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';

describe('Columns that no statement compares', () => {
  let test: TestDatabase;
  let owner: pg.Client;

  before(async () => {
    test = await createTestDatabase();
    owner = new pg.Client({ connectionString: test.ownerUrl });
    await owner.connect();
  });
  after(async () => {
    await owner.end();
    await test.drop();
  });

  it('have no statistics, so that ANALYZE does not sort the payloads of what waits', async () => {
    await owner.query('ALTER TABLE inbox NO FORCE ROW LEVEL SECURITY');
    await owner.query(
      `INSERT INTO inbox (app_id, customer_id, sequence, kind, item_id, purpose, epoch, payload, accepted_at)
       SELECT 'app_one', 'cus_one', n, 'claim', 'clm_' || n, 1, 1, jsonb_build_object('n', n), now()
         FROM generate_series(1, 100) AS n`,
    );
    await owner.query('ANALYZE inbox');
    const { rows } = await owner.query<{ attname: string }>(
      `SELECT a.attname FROM pg_statistic s JOIN pg_attribute a ON a.attrelid = s.starelid AND a.attnum = s.staattnum
        WHERE s.starelid = 'inbox'::regclass`,
    );
    const names = rows.map(({ attname }) => attname);
    expect(names).to.include.members(['customer_id', 'sequence', 'item_id', 'attempts']);
    expect(names).not.to.include('payload');
  });

  it('keep their statistics where the database refuses the change, as Citus does', async () => {
    await owner.query(`ALTER TABLE claims ALTER COLUMN document SET STATISTICS -1`);
    await owner.query(`CREATE FUNCTION refuse_alter() RETURNS event_trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'unsupported' USING ERRCODE = 'feature_not_supported'; END $$`);
    await owner.query(
      `CREATE EVENT TRIGGER refuse_alter ON ddl_command_start WHEN tag IN ('ALTER TABLE') EXECUTE FUNCTION refuse_alter()`,
    );
    const source = await createDataSource(test.ownerUrl).initialize();
    const runner = source.createQueryRunner();
    try {
      await runner.startTransaction();
      await new UncomparedColumns1763600000066().up(runner);
      await runner.commitTransaction();
    } finally {
      await runner.release();
      await source.destroy();
      await owner.query('DROP EVENT TRIGGER refuse_alter');
    }
    const { rows } = await owner.query<{ target: number | null }>(
      `SELECT attstattarget AS target FROM pg_attribute WHERE attrelid = 'claims'::regclass AND attname = 'document'`,
    );
    expect(rows[0]?.target ?? -1).to.equal(-1);
  });
});
