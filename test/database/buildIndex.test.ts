import { expect } from 'chai';
import pg from 'pg';
import { DataSource } from 'typeorm';
import type { QueryRunner } from 'typeorm';
import { createDataSource } from '../../ormconfig.js';
import { buildIndex } from '../../src/database/buildIndex.js';
import { Migration } from '../../src/database/Migration.js';
import { runPending } from '../../src/database/migrate.js';
import { execute } from '../support/execute.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';

/** A migration that builds an index. */
function trial(transaction: boolean): new () => Migration {
  return class Indexed1999999999999 extends Migration {
    readonly transaction = transaction;

    async up(runner: QueryRunner): Promise<void> {
      await buildIndex(runner, 'accounts_trial_idx', 'ON accounts (created_at)');
    }
  };
}

describe('An index of a table with rows', () => {
  let test: TestDatabase;
  let writer: pg.Client;

  beforeEach(async () => {
    test = await createTestDatabase();
    writer = new pg.Client({ connectionString: test.ownerUrl });
    await writer.connect();
  });
  afterEach(async () => {
    await writer.end();
    await test.drop();
  });

  /** What `npm run migrate` does, with one more migration. */
  async function migrateMore(transaction = false): Promise<void> {
    const migrations = [trial(transaction)];
    const source = new DataSource({ ...createDataSource(test.ownerUrl).options, migrations });
    await source.initialize();
    try {
      await runPending(source);
    } finally {
      await source.destroy();
    }
  }

  async function add(id: string): Promise<void> {
    await writer.query(
      `INSERT INTO accounts (account_id, email, email_verified, created_at, updated_at) VALUES ($1, $1, true, now(), now())`,
      [id],
    );
  }

  const one = async <T>(text: string): Promise<T | undefined> => (await execute<T>(test.ownerUrl, text))[0];

  async function until<T>(text: string): Promise<T> {
    for (;;) {
      const row = await one<T>(text);
      if (row !== undefined) return row;
      await new Promise((wake) => setTimeout(wake, 20));
    }
  }

  const BUILDING = `SELECT pid FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX CONCURRENTLY%'
    AND wait_event_type = 'Lock' AND datname = current_database()`;
  const STATE = `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('accounts_trial_idx')`;
  const RECORDED = `SELECT name FROM schema_migrations WHERE name = 'Indexed1999999999999'`;

  it('is built while others write to the table, even when it waits for one of them', async () => {
    await writer.query('BEGIN');
    await add('acc_first');
    const migrated = migrateMore();
    await until(BUILDING);
    expect(
      await one(
        `INSERT INTO accounts (account_id, email, email_verified, created_at, updated_at)
         VALUES ('acc_meanwhile', 'm', true, now(), now()) RETURNING account_id`,
      ),
    ).to.deep.equal({ account_id: 'acc_meanwhile' });
    // Longer than a migration waits for any other lock.
    await new Promise((wake) => setTimeout(wake, 600));
    expect(await one(BUILDING)).to.not.equal(undefined);
    await writer.query('COMMIT');
    await migrated;
    expect(await one(STATE)).to.deep.equal({ valid: true });
    expect(await one(RECORDED)).to.not.equal(undefined);
  });

  it('is built again after an interrupted build', async () => {
    await writer.query('BEGIN');
    await add('acc_first');
    const migrated = migrateMore().catch((error: unknown) => error);
    const { pid } = await until<{ pid: number }>(BUILDING);
    await one(`SELECT pg_terminate_backend(${pid})`);
    expect(await migrated).to.be.instanceOf(Error);
    await writer.query('COMMIT');
    expect(await one(STATE)).to.deep.equal({ valid: false });
    expect(await one(RECORDED)).to.equal(undefined);
    await migrateMore();
    expect(await one(STATE)).to.deep.equal({ valid: true });
    expect(await one(RECORDED)).to.not.equal(undefined);
  });

  it('is kept if the build ended and only its record was lost', async () => {
    await migrateMore();
    const built = await one<{ oid: number }>(`SELECT 'accounts_trial_idx'::regclass::oid AS oid`);
    await one(`DELETE FROM schema_migrations WHERE name = 'Indexed1999999999999'`);
    await migrateMore();
    expect(await one(`SELECT 'accounts_trial_idx'::regclass::oid AS oid`)).to.deep.equal(built);
  });

  it('is refused in a transaction, with a clear error', async () => {
    const failure = await migrateMore(true).catch((error: unknown) => error);
    expect(String(failure)).to.include('needs transaction = false');
  });
});
