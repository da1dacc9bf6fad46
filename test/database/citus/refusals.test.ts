import { expect } from 'chai';
import pg from 'pg';
import { startService } from '../../../src/app.js';
import { configFrom } from '../../../src/config.js';
import { distribute } from '../../../src/database/citus/distribute.js';
import { refuseUnfitDistribution } from '../../../src/database/citus/refuseUnfitDistribution.js';
import { REFERENCES, SPREAD_TABLES } from '../../../src/database/citus/spread.js';
import { freePort } from '../../support/freePort.js';
import { citusNodes } from '../../support/citusNodes.js';
import { createEmptyDatabase, createTestDatabase } from '../../support/database.js';
import type { TestDatabase } from '../../support/database.js';
import { execute } from '../../support/execute.js';
import { skipUnless } from '../../support/skipUnless.js';
import { testEnvironment } from '../../support/TestService.js';

/** What `version()` says, or said in a manual or a bug report. */
const STRANGERS = [
  'PostgreSQL 11.2-YB-2.20.1.0-b0 on x86_64-pc-linux-gnu, compiled by clang version 16.0.6',
  'CockroachDB CCL v23.2.0 (x86_64-pc-linux-gnu, built 2024/01/16 19:30:18, go1.21.5)',
  'PostgreSQL 12.12 (Greenplum Database 7.0.0 build commit:0a7a3566873325aca1789ae6f818c80f17a9402d)',
  'PostgreSQL 8.0.2 on i686-pc-linux-gnu, compiled by GCC gcc (GCC) 3.4.2 20041017, Redshift 1.0.61395',
  'PostgreSQL 16 (Aurora DSQL)',
];

/**
 * A real PostgreSQL answers as the database that is refused would: with its version, or with what Citus keeps
 * of tables (`pg_dist_partition`).
 */
describe('A database on which the service cannot run', () => {
  let test: TestDatabase;

  before(async function () {
    skipUnless(this, citusNodes.length === 0, 'needs a PostgreSQL without Citus (unset TEST_CITUS_URLS)');
    test = await createTestDatabase();
  });
  after(() => test.drop());

  async function start(databaseUrl: string): Promise<string> {
    const env = testEnvironment(await freePort(), databaseUrl, { LOG_LEVEL: 'silent' });
    try {
      const service = await startService(configFrom(env));
      await service.stop();
      return 'started';
    } catch (error) {
      return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    }
  }

  it('is refused with its reason before anything is created in it', async () => {
    const url = await createEmptyDatabase();
    const name = new URL(url).pathname.slice(1);
    await execute(url, `ALTER DATABASE ${name} SET search_path = public, pg_catalog`);
    for (const version of STRANGERS) {
      await execute(
        url,
        `CREATE OR REPLACE FUNCTION public.version() RETURNS text LANGUAGE sql AS ${pg.escapeLiteral(`SELECT ${pg.escapeLiteral(version)}`)}`,
      );
      expect(await start(url)).to.equal(
        `StartFailure: DATABASE_URL: the service runs on PostgreSQL and on Citus, and not on ${version}.`,
      );
    }
    expect(await tablesOf(url)).to.equal(0);
    await execute(url, 'DROP FUNCTION public.version()');
    expect(await start(url)).to.equal('started');
  });

  it('is refused while tables, policies or settings of its distribution are missing', async () => {
    const problem = async (): Promise<string> =>
      refuseUnfitDistribution(test.serviceUrl).then(
        () => 'fit',
        (error: unknown) => (error instanceof Error ? error.message : ''),
      );
    expect(await problem()).to.equal('fit');

    await execute(test.ownerUrl, CATALOGUE);
    expect(await problem(), 'Citus, and nothing spread yet').to.equal('fit');
    expect(await start(test.ownerUrl)).to.equal('started');

    await spread(`name <> 'facts'`);
    expect(await problem()).to.match(/^DATABASE_URL: the database is distributed, but not .*: facts\. Run/);
    expect(await start(test.ownerUrl)).to.match(/^StartFailure: .*not these tables: facts\./);

    await spread(`name = 'facts'`);
    expect(await problem()).to.match(/would show nothing, silently, of: .*\bclaims\b/);
    for (const table of await spreadTables())
      await execute(test.ownerUrl, `CREATE POLICY ${table}_named ON ${table} USING (true)`);
    expect(await problem()).to.match(/citus\.propagate_set_commands is not local/);
    await settle('none');
    expect(await problem()).to.match(/citus\.propagate_set_commands is not local/);
    await settle('local');
    expect(await problem()).to.equal('fit');

    await execute(test.ownerUrl, 'DROP POLICY facts_named ON facts');
    expect(await problem()).to.match(/would show nothing, silently, of: facts\./);
    expect(await start(test.ownerUrl)).to.match(/^StartFailure: .*silently, of: facts\./);
  });

  it('cannot be distributed without a superuser, Citus, tables or workers', async () => {
    const problem = async (url: string): Promise<string> =>
      distribute(url, { shards: 2 }).then(
        () => 'spread',
        (error: unknown) => (error instanceof Error ? error.message : ''),
      );
    const fresh = await createTestDatabase();
    const empty = await createEmptyDatabase();
    expect(await problem(fresh.serviceUrl)).to.match(/^DISTRIBUTE_URL: the role is no superuser/);
    expect(await problem(fresh.ownerUrl)).to.match(/^DISTRIBUTE_URL: the database has no Citus/);
    await execute(empty, CATALOGUE);
    expect(await problem(empty)).to.match(/^DISTRIBUTE_URL: the database is empty/);
    await execute(fresh.ownerUrl, CATALOGUE);
    expect(await problem(fresh.ownerUrl)).to.match(/^DISTRIBUTE_URL: no node takes shards/);
    await fresh.drop();
  });

  async function tablesOf(url: string): Promise<number> {
    return count(url, `FROM pg_tables WHERE schemaname = 'public'`);
  }

  async function spreadTables(): Promise<string[]> {
    return (await execute<{ name: string }>(test.ownerUrl, SPREAD_TABLES)).map(({ name }) => name);
  }

  /** What Citus notes of a table that is spread. */
  function spread(which: string): Promise<unknown> {
    return execute(
      test.ownerUrl,
      `INSERT INTO pg_catalog.pg_dist_partition
        SELECT name::regclass, method FROM (
          SELECT name, 'h' AS method FROM (${SPREAD_TABLES}) s
          UNION ALL SELECT unnest('{${REFERENCES.join()}}'::text[]), 'n') t WHERE ${which}`,
    );
  }

  function settle(propagated: string): Promise<unknown> {
    const name = new URL(test.ownerUrl).pathname.slice(1);
    return execute(
      test.ownerUrl,
      `ALTER DATABASE ${name} SET citus.propagate_set_commands = '${propagated}'`,
    );
  }
});

const CATALOGUE = [
  'SET allow_system_table_mods = on',
  'CREATE TABLE pg_catalog.pg_dist_partition (logicalrelid regclass, partmethod "char")',
  `CREATE TABLE pg_catalog.pg_dist_node (shouldhaveshards boolean, isactive boolean, noderole text)`,
  'GRANT SELECT ON pg_catalog.pg_dist_partition, pg_catalog.pg_dist_node TO PUBLIC',
  `DO $$ BEGIN EXECUTE format($s$ALTER DATABASE %I SET citus.propagate_set_commands = ''$s$, current_database()); END $$`,
].join(';\n');

async function count(url: string, from: string): Promise<number> {
  const [row] = await execute<{ count: number }>(url, `SELECT count(*)::integer AS count ${from}`);
  return row?.count ?? -1;
}
