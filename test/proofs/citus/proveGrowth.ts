import { DataSource } from 'typeorm';
import type { QueryRunner } from 'typeorm';
import { createDataSource } from '../../../ormconfig.js';
import { buildIndex } from '../../../src/database/buildIndex.js';
import { distribute } from '../../../src/database/citus/distribute.js';
import { refuseUnfitDistribution } from '../../../src/database/citus/refuseUnfitDistribution.js';
import { Migration } from '../../../src/database/Migration.js';
import { runPending } from '../../../src/database/migrate.js';
import { protectTable } from '../../../src/database/protect.js';
import type { CitusCluster } from '../../support/CitusCluster.js';
import { claimBody, expectStatus, grant, makeCustomer, revoke, sendClaims } from '../../support/records.js';
import { registerApp } from '../../support/registerApp.js';
import type { TestPartner } from '../../support/TestPartner.js';
import type { Check } from './Check.js';

/** What a later version may do to tables that are spread: a column, and a table of the apps. */
class Trial1999999999998 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE claims ADD COLUMN trial text');
    await runner.query(
      `CREATE TABLE trial_notes (app_id text NOT NULL, note_id text NOT NULL, PRIMARY KEY (app_id, note_id),
         CONSTRAINT trial_notes_app_fkey FOREIGN KEY (app_id) REFERENCES apps (app_id))`,
    );
    await protectTable(runner, 'trial_notes');
  }
}

/** An index of a table that is spread and has rows. */
class Indexed1999999999999 extends Migration {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, 'claims_trial_idx', 'ON claims (app_id, trial)');
  }
}

export interface Growing {
  cluster: CitusCluster;
  serviceUrl: string;
  shards: number;
  check: Check;
  /** Starts a gateway with its jobs, does the work, ends it. */
  serving(work: (url: string) => Promise<void>): Promise<void>;
}

interface Person {
  /** The number of the app among those that were made. */
  app: number;
  id: string;
  receipt: string;
}

/** A database with rows is spread between two starts of the service, and migrated and spread again. */
export async function proveGrowth({ cluster, serviceUrl, shards, check, serving }: Growing): Promise<void> {
  const [superuser = ''] = cluster.adminUrls;
  const apps: TestPartner[] = [];
  const people: Person[] = [];
  await serving(async (url) => {
    for (let index = 0; index < 4; index += 1) {
      const app = await registerApp(url);
      apps.push(app);
      const id = await makeCustomer(app);
      const receipt = await grant(app, id, 'personalization');
      await sendClaims(app, claimBody(id), claimBody(id, { source: 'survey' }));
      people.push({ app: index, id, receipt });
    }
  });
  const read = (url: string, { app, id }: Person): ReturnType<TestPartner['rest']> =>
    (apps[app] as TestPartner).at(url).rest('GET', `/v1/profiles/${id}?consent_purpose=personalization`);
  const shown = async (url: string): Promise<string> =>
    (await Promise.all(people.map(async (person) => (await read(url, person)).text))).join('\n');
  let before = '';
  await serving(async (url) => {
    before = await shown(url);
  });
  const rows = await countRows(cluster);
  const begun = performance.now();
  const spread = await distribute(superuser, { shards });
  check('tables with rows are spread', spread.length > 20, `${Math.round(performance.now() - begun)} ms`);
  check('no row was lost or doubled', (await countRows(cluster)) === rows, rows);
  check('a second run changes nothing', (await distribute(superuser, { shards })).length === 0);
  await serving(async (url) => {
    check('profiles are read as before', (await shown(url)) === before && before.includes('crime'));
    const [first] = people;
    if (first === undefined) return;
    const app = (apps[first.app] as TestPartner).at(url);
    await sendClaims(app, claimBody(first.id, { attribute: 'later' }));
    check('and written', expectStatus(await read(url, first), 200).facts.length === 2);
    await revoke(app, first.receipt);
    check('and withdrawn', (await read(url, first)).status === 403);
  });

  await migrateMore(cluster.ownerUrl);
  const refusal = await refuseUnfitDistribution(serviceUrl).catch((error: unknown) => String(error));
  check('a start before the new table is spread is refused', /trial_notes/.test(String(refusal)));
  check('the new table is spread, alone', (await distribute(superuser, { shards })).join() === 'trial_notes');
  const [indexed] = await cluster.sql<{ shards: number }>(
    `SELECT count(*)::integer AS shards FROM run_command_on_shards('claims',
       $$SELECT count(*) FROM pg_index WHERE indrelid = '%s'::regclass AND indisvalid
          AND indexrelid::regclass::text LIKE 'claims_trial_idx%%'$$) WHERE result = '1'`,
  );
  check('every shard has the new index', indexed?.shards === shards, indexed?.shards);
  await cluster.sql(`DELETE FROM schema_migrations WHERE timestamp > 1999999999000`);
  await serving(async (url) => {
    const [, second] = people;
    if (second === undefined) return;
    await sendClaims((apps[second.app] as TestPartner).at(url), claimBody(second.id, { attribute: 'later' }));
    check('after it claims are written', expectStatus(await read(url, second), 200).facts.length === 2);
  });
}

async function migrateMore(ownerUrl: string): Promise<void> {
  const migrations = [Trial1999999999998, Indexed1999999999999];
  const source = new DataSource({ ...createDataSource(ownerUrl).options, migrations });
  await source.initialize();
  try {
    await runPending(source);
  } finally {
    await source.destroy();
  }
}

async function countRows(cluster: CitusCluster): Promise<string> {
  const [row] = await cluster.sql<Record<string, number>>(
    `SELECT (SELECT count(*) FROM apps)::integer AS apps, (SELECT count(*) FROM customers)::integer AS customers,
            (SELECT count(*) FROM claims)::integer AS claims, (SELECT count(*) FROM facts)::integer AS facts,
            (SELECT count(*) FROM consent_ledger)::integer AS decisions,
            (SELECT count(*) FROM tally_changes)::integer AS counted`,
  );
  return JSON.stringify(row);
}
