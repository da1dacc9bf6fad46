import { expect } from 'chai';
import pg from 'pg';
import { createDataSource } from '../../ormconfig.js';
import { runPending } from '../../src/database/migrate.js';
import { refuseNewerSchema } from '../../src/database/schemaVersion.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';

describe('A database with a migration that was withdrawn', () => {
  let database: TestDatabase;
  let owner: pg.Client;

  before(async () => {
    database = await createTestDatabase();
    owner = new pg.Client({ connectionString: database.ownerUrl });
    await owner.connect();
  });

  after(async () => {
    await owner.end();
    await database.drop();
  });

  async function record(name: string): Promise<void> {
    const timestamp = /\d+$/.exec(name)?.[0];
    await owner.query('INSERT INTO schema_migrations ("timestamp", name) VALUES ($1, $2)', [timestamp, name]);
  }

  it('is not newer, and loses the index that it made', async () => {
    await owner.query('CREATE INDEX events_category_idx ON events (app_id, category)');
    await owner.query(`DELETE FROM schema_migrations WHERE name = 'UncategorizedEvents1763600000084'`);
    await record('EventsByCategory1763600000079');
    await refuseNewerSchema(database.ownerUrl);
    const source = await createDataSource(database.ownerUrl).initialize();
    await runPending(source).finally(() => source.destroy());
    const { rows } = await owner.query(`SELECT to_regclass('events_category_idx') AS index`);
    expect(rows).to.deep.equal([{ index: null }]);
  });

  it('is newer with any other migration that this version does not know', async () => {
    await record('EventsByCategory1763600000999');
    const refusal = await refuseNewerSchema(database.ownerUrl).catch((error: unknown) => error);
    expect(String(refusal)).to.include('EventsByCategory1763600000999');
  });
});
