import pg from 'pg';
import { SERVICE_ROLE } from '../protect.js';
import { StartFailure } from '../StartFailure.js';
import { ORDERS, SHARD_HELPERS, SHARD_TRIGGERS } from './shardTriggers.js';
import { FIRST, REFERENCES, SPREAD_TABLES, UNPROTECTED } from './spread.js';

export interface DistributeOptions {
  /** Shards of the apps' tables: more than nodes, so that they can be moved later. */
  shards: number;
}

/**
 * Distributes a migrated schema over the nodes of a Citus cluster, with or without rows, in one transaction.
 * A repeated run distributes what later migrations added and changes nothing else. No service may run
 * meanwhile.
 *
 * @param adminUrl a superuser's on the coordinator: row level security forbids the owner to copy rows
 * @returns the tables distributed by this run
 * @throws StartFailure naming what to change
 */
export async function distribute(adminUrl: string, { shards }: DistributeOptions): Promise<string[]> {
  const admin = new pg.Client({ connectionString: adminUrl });
  admin.on('error', () => undefined);
  await admin.connect();
  try {
    await refuseUnfit(admin);
    await admin.query('BEGIN');
    for (const statement of SETTINGS) await admin.query(statement);
    const missing = await missingTables(admin);
    if (missing.length > 0) await spread(admin, missing, shards);
    await bringUpToDate(admin);
    await admin.query('COMMIT');
    await grantSequences(admin);
    return missing;
  } finally {
    await admin.end();
  }
}

async function refuseUnfit(admin: pg.Client): Promise<void> {
  const [found] = await rows<{ superuser: boolean; citus: boolean; migrated: boolean }>(
    admin,
    `SELECT rolsuper AS superuser, to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL AS citus,
            to_regclass('public.schema_migrations') IS NOT NULL AS migrated
       FROM pg_roles WHERE rolname = current_user`,
  );
  if (found?.superuser !== true)
    throw new StartFailure(
      'DISTRIBUTE_URL: the role is no superuser; row level security keeps others from copying rows.',
    );
  if (!found.citus)
    throw new StartFailure('DISTRIBUTE_URL: the database has no Citus (CREATE EXTENSION citus).');
  if (!found.migrated)
    throw new StartFailure('DISTRIBUTE_URL: the database is empty. Run npm run migrate first.');
  const [nodes] = await rows<{ workers: number }>(
    admin,
    `SELECT count(*)::integer AS workers FROM pg_dist_node WHERE shouldhaveshards AND isactive
      AND noderole = 'primary'`,
  );
  if ((nodes?.workers ?? 0) === 0)
    throw new StartFailure('DISTRIBUTE_URL: no node takes shards. Add workers first (citus_add_node).');
}

/** In the order of distribution. */
async function missingTables(admin: pg.Client): Promise<string[]> {
  const found = await rows<{ name: string }>(
    admin,
    `SELECT name FROM (SELECT unnest($1::text[]) AS name, 0 AS kind UNION ALL SELECT name, 1
      FROM (${SPREAD_TABLES}) s) t
      WHERE NOT EXISTS (SELECT FROM pg_dist_partition p WHERE p.logicalrelid = name::regclass
        AND (t.kind = 0) = (p.partmethod = 'n'))
      ORDER BY kind, name <> '${FIRST}', name`,
    [REFERENCES],
  );
  return found.map(({ name }) => name);
}

async function spread(admin: pg.Client, tables: readonly string[], shards: number): Promise<void> {
  for (const table of tables) await makeFit(admin, table);
  // With foreign keys Citus would make the referenced tables local ones, which cannot be distributed any
  // more.
  const keys = await dropForeignKeys(admin, tables);
  // Triggers would count rows copied to a shard as new ones.
  const triggers = await dropTriggers(admin, tables);
  for (const table of tables) {
    if ((REFERENCES as readonly string[]).includes(table))
      await admin.query('SELECT create_reference_table($1)', [table]);
    else if (table === FIRST)
      await admin.query(
        `SELECT create_distributed_table($1, 'app_id', shard_count => ${Math.trunc(shards)})`,
        [table],
      );
    else
      await admin.query(`SELECT create_distributed_table($1, 'app_id', colocate_with => '${FIRST}')`, [
        table,
      ]);
  }
  for (const { table, name, definition } of keys)
    await admin.query(`ALTER TABLE ${table} ADD CONSTRAINT ${pg.escapeIdentifier(name)} ${definition}`);
  for (const trigger of triggers) await admin.query(trigger);
}

/** Changes what cannot be distributed or would not work on a shard. */
async function makeFit(admin: pg.Client, table: string): Promise<void> {
  // Hints are notices; listeners on the coordinator would not receive those of a worker.
  const hints = await rows<{ name: string }>(
    admin,
    `SELECT tgname AS name FROM pg_trigger WHERE tgrelid = $1::regclass
      AND tgfoid::regproc::text LIKE 'hint\\_%'`,
    [table],
  );
  for (const { name } of hints) await admin.query(`DROP TRIGGER ${name} ON ${table}`);
  if (table === 'connection_links') for (const statement of KEY_OF_LINKS) await admin.query(statement);
  // A moved shard gets its foreign keys as the owner. FORCE hides the rows of the referenced tables from the
  // owner, so the rows of referencing tables must be hidden too.
  if ((UNPROTECTED as readonly string[]).includes(table)) {
    await admin.query(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY`);
    await admin.query(
      `CREATE POLICY ${table}_service ON ${table} TO ${SERVICE_ROLE} USING (true) WITH CHECK (true)`,
    );
  } else if (!(REFERENCES as readonly string[]).includes(table)) {
    await admin.query(APP_IS_NAMED);
    await admin.query(
      `CREATE POLICY ${table}_named ON ${table} AS RESTRICTIVE TO ${SERVICE_ROLE} USING (app_is_named()) WITH CHECK (true)`,
    );
  }
}

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

async function dropForeignKeys(admin: pg.Client, tables: readonly string[]): Promise<ForeignKey[]> {
  const keys = await rows<ForeignKey>(
    admin,
    `SELECT conrelid::regclass::text AS table, conname AS name, pg_get_constraintdef(oid) AS definition
      FROM pg_constraint
      WHERE contype = 'f' AND conparentid = 0 AND connamespace = 'public'::regnamespace
        AND (conrelid = ANY ($1::regclass[]) OR confrelid = ANY ($1::regclass[])) ORDER BY 1, 2`,
    [tables],
  );
  for (const { table, name } of keys)
    await admin.query(`ALTER TABLE ${table} DROP CONSTRAINT ${pg.escapeIdentifier(name)}`);
  return keys;
}

/** @returns the statements that create them again */
async function dropTriggers(admin: pg.Client, tables: readonly string[]): Promise<string[]> {
  const triggers = await rows<{ table: string; name: string; definition: string }>(
    admin,
    `SELECT tgrelid::regclass::text AS table, tgname AS name, pg_get_triggerdef(oid) AS definition
      FROM pg_trigger WHERE NOT tgisinternal AND tgrelid = ANY ($1::regclass[]) ORDER BY 1, 2`,
    [tables],
  );
  for (const { table, name } of triggers)
    await admin.query(`DROP TRIGGER ${pg.escapeIdentifier(name)} ON ${table}`);
  return triggers.map(({ definition }) => definition);
}

/** Statements that every run repeats. */
async function bringUpToDate(admin: pg.Client): Promise<void> {
  for (const statement of [
    ...SHARD_HELPERS,
    ...Object.values(SHARD_TRIGGERS),
    NOTIFY_APP,
    APP_IS_NAMED,
    BACKLOG,
  ])
    await admin.query(statement);
  await orderTables(admin);
  const [{ database } = { database: '' }] = await rows<{ database: string }>(
    admin,
    'SELECT current_database() AS database',
  );
  await admin.query(
    `ALTER DATABASE ${pg.escapeIdentifier(database)} SET citus.propagate_set_commands = 'local'`,
  );
}

/** Includes tables that an earlier version distributed. */
async function orderTables(admin: pg.Client): Promise<void> {
  for (const { table, trigger, name } of ORDERS) {
    const there = await rows(admin, 'SELECT FROM pg_trigger WHERE tgrelid = $1::regclass AND tgname = $2', [
      table,
      trigger,
    ]);
    if (there.length === 0)
      await admin.query(
        `CREATE TRIGGER ${trigger} BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION ${name}()`,
      );
  }
}

/**
 * Workers have their own sequences. Grants do not reach them, and workers see them only after the commit that
 * created them.
 */
async function grantSequences(admin: pg.Client): Promise<void> {
  const granted = await rows<{ success: boolean; result: string }>(
    admin,
    `SELECT success, result
      FROM run_command_on_all_nodes('GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${SERVICE_ROLE}')`,
  );
  const failed = granted.find(({ success }) => !success);
  if (failed !== undefined)
    throw new StartFailure(`A node did not grant its sequences; run it again: ${failed.result}`);
}

async function rows<T>(client: pg.Client, text: string, values: unknown[] = []): Promise<T[]> {
  return (await client.query(text, values)).rows as T[];
}

const SETTINGS = [
  'SET LOCAL client_min_messages = warning',
  'SET LOCAL citus.enable_unsafe_triggers = on',
  // Foreign keys to reference tables created in the same transaction need a single connection per node.
  `SET LOCAL citus.multi_shard_modify_mode = 'sequential'`,
];

const KEY_OF_LINKS = [
  'ALTER TABLE connection_links DROP CONSTRAINT connection_links_pkey',
  'ALTER TABLE connection_links ADD CONSTRAINT connection_links_pkey PRIMARY KEY (app_id, session_id)',
  'CREATE INDEX connection_links_session_idx ON connection_links (session_id)',
];

/**
 * Evaluated once per scan, before any row: a node that was not told the app fails instead of returning no
 * rows.
 */
const APP_IS_NAMED = `CREATE OR REPLACE FUNCTION app_is_named() RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
  BEGIN
    IF coalesce(current_setting('consent.app_id', true), '') = '' THEN
      RAISE EXCEPTION 'consent.app_id is not set on this node: no app was named, or the coordinator did not hand it on'
        USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN true;
  END $$`;

/**
 * A change of a reference table commits in two phases, and a transaction with NOTIFY cannot be prepared. The
 * coordinator's own part is not prepared.
 */
const NOTIFY_APP = `CREATE OR REPLACE FUNCTION notify_app_access_changed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF (SELECT groupid FROM pg_catalog.pg_dist_local_group) = 0 THEN
      PERFORM pg_notify('access_changed', 'app:' || OLD.app_id);
    END IF;
    RETURN NULL;
  END $$`;

/** Names each app by `SET LOCAL`, which reaches the workers. */
const BACKLOG = `DO $do$ BEGIN
  EXECUTE replace(replace(pg_get_functiondef('webhook_backlog'::regproc),
    $$PERFORM set_config('consent.app_id', app.app_id, true)$$, $$EXECUTE format('SET LOCAL consent.app_id = %L', app.app_id)$$),
    $$PERFORM set_config('consent.app_id', '', true)$$, $$SET LOCAL consent.app_id = ''$$);
END $do$`;
