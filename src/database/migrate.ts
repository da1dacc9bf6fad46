import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { AbstractLogger, DataSource, MigrationExecutor } from 'typeorm';
import type { QueryRunner } from 'typeorm';
import { createDataSource } from '../../ormconfig.js';
import type { Secrets } from '../config.js';
import { SecretBox } from '../domain/SecretBox.js';
import { LOCK_NUMBERS } from './lockNumbers.js';
import { DEADLOCK, LOCK_NOT_AVAILABLE, sqlState, UNIQUE_VIOLATION } from './sqlState.js';
import { SERVICE_ROLE } from './protect.js';
import { refuseOtherSecretsKey } from './sealedKeys.js';
import { serviceLogin } from './serviceLogin.js';
import { MAX_REST_MINUTES } from './sessionRest.js';
import { StartFailure } from './StartFailure.js';

const LOCK_POLL_MS = 200;

/** The first derives the service's login, every one opens what was sealed. */
type SecretsKeys = Pick<Secrets, 'secretsKey' | 'otherSecretsKeys'>;

/**
 * Migrates the database and returns the URL for the service itself: that of a login role which owns nothing
 * and cannot bypass row level security.
 *
 * @param ownerUrl a role that may create tables and roles. A role that may create tables only also serves, if
 *   row level security binds it
 * @param run brings the schema up to date, under the lock
 * @throws StartFailure, with nothing changed, when the keys in the database were sealed under another key
 */
export async function migrate(
  ownerUrl: string,
  keys: SecretsKeys,
  run: (ownerUrl: string) => Promise<void> = runMigrations,
): Promise<{ serviceUrl: string }> {
  const lock = new pg.Client({ connectionString: ownerUrl });
  // It rests while an index is built. Where its connection breaks meanwhile, `COMMIT` fails.
  lock.on('error', () => undefined);
  await lock.connect();
  try {
    await lock.query('BEGIN');
    await lock.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    while (!(await tryLock(lock))) await sleep(LOCK_POLL_MS);
    const service = await ensureServiceRole(ownerUrl, keys);
    await run(ownerUrl);
    await lock.query('COMMIT');
    return { serviceUrl: service };
  } finally {
    await lock.end();
  }
}

/**
 * The index builds of another holder wait for every snapshot, forever. So nothing here keeps one: neither a
 * statement that waits for the lock nor, until the next statement, one with a parameter.
 */
async function tryLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ got: boolean }>(
    `SELECT pg_try_advisory_xact_lock(${LOCK_NUMBERS.migrations}) AS got`,
  );
  return rows[0]?.got === true;
}

/** @param onWait told the reason when a migration waits for a lock */
export async function runMigrations(ownerUrl: string, onWait?: (reason: string) => void): Promise<void> {
  // Migrations use no entity.
  const source = new DataSource({ ...createDataSource(ownerUrl).options, entities: [] });
  await source.initialize();
  try {
    await runPending(source, onWait);
    // The service checks by it whether the database is up to date.
    await source.query(`GRANT SELECT ON schema_migrations TO ${SERVICE_ROLE}`);
  } finally {
    await source.destroy();
  }
}

/**
 * Maximum wait for a table's lock: others that need the table wait behind it. It is shorter than the second
 * after which PostgreSQL checks for deadlocks (`deadlock_timeout`), so that the migration gives way.
 */
const LOCK_WAIT = '200ms';
const MAX_TRIES = 500;
const PAUSE_MS = 300;

/** Keeps which migration failed. TypeORM prints it before it is known whether that one is tried again. */
class FailedMigration extends AbstractLogger {
  title = 'A migration';

  override logMigration(message: string): void {
    const [, name] = /^Migration "(\w+)" failed/.exec(message) ?? [];
    if (name !== undefined) this.title = `The migration ${name}`;
  }

  /** The error, with the migration in its text. */
  titled(error: unknown): unknown {
    if (!(error instanceof Error)) return error;
    const titled = new Error(`${this.title} failed: ${error.message}`, { cause: error });
    return Object.assign(titled, { code: sqlState(error) });
  }

  protected override writeLog(): void {
    // Nothing else is told.
  }
}

/**
 * Runs each migration in its own transaction, so that no table is locked for longer than its own takes. Locks
 * of several at once would deadlock with gateways. One that builds an index of a table with rows has no
 * transaction (`buildIndex`). After a lock timeout or a deadlock a migration is tried again, so that gateways
 * proceed in between.
 *
 * @param onWait told the reason once for each migration that is tried again
 */
export async function runPending(
  source: DataSource,
  onWait: (reason: string) => void = () => undefined,
): Promise<void> {
  let waiting: string | undefined;
  for (let tries = 1; ; tries += 1) {
    const failed = new FailedMigration();
    source.setOptions({ logger: failed });
    try {
      return await tryPending(source);
    } catch (error) {
      if (tries === MAX_TRIES || ![DEADLOCK, LOCK_NOT_AVAILABLE].includes(sqlState(error)))
        throw failed.titled(error);
      if (waiting !== failed.title)
        onWait(`${failed.title} waits for a lock that others hold. It is tried again.`);
      waiting = failed.title;
      await sleep(PAUSE_MS);
    }
  }
}

async function tryPending(source: DataSource): Promise<void> {
  const runner = source.createQueryRunner();
  try {
    await runner.query(`SET lock_timeout = '${LOCK_WAIT}'`);
    await inOrderOnCitus(runner);
    const executor = new MigrationExecutor(source, runner);
    executor.transaction = 'each';
    await executor.executePendingMigrations();
    await runner.query('RESET lock_timeout');
  } finally {
    await runner.release();
  }
}

/** Otherwise Citus changes the shards of a table in parallel, and then refuses to change another table. */
async function inOrderOnCitus(runner: QueryRunner): Promise<void> {
  const [found] = (await runner.query(
    `SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL AS citus`,
  )) as { citus: boolean }[];
  if (found?.citus === true) await runner.query(`SET citus.multi_shard_modify_mode = 'sequential'`);
}

interface OwnerRights {
  database: string;
  bypasses: boolean;
  creates: boolean;
  grouped: boolean;
  /** How its sessions get times. */
  dateStyle: string;
}

async function ensureServiceRole(
  ownerUrl: string,
  { secretsKey, otherSecretsKeys }: SecretsKeys,
): Promise<string> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    await refuseOtherSecretsKey(owner, new SecretBox(secretsKey, otherSecretsKeys));
    const rights = await ownerRights(owner);
    if (rights.creates) return await createServiceLogin(owner, ownerUrl, rights, secretsKey);
    if (rights.bypasses)
      throw new StartFailure(
        'The role of DATABASE_URL bypasses row level security and cannot create another role.',
      );
    if (!rights.grouped)
      throw new StartFailure(
        `The role of DATABASE_URL cannot create roles: create the role ${SERVICE_ROLE} first.`,
      );
    if (!rights.dateStyle.startsWith('ISO'))
      throw new StartFailure(
        `The role of DATABASE_URL gets times in the style ${rights.dateStyle}: ALTER ROLE … SET datestyle = 'ISO'.`,
      );
    return ownerUrl;
  } finally {
    await owner.end();
  }
}

async function ownerRights(owner: pg.Client): Promise<OwnerRights> {
  const result = await owner.query<OwnerRights>(
    `SELECT current_database() AS database, rolsuper OR rolbypassrls AS bypasses,
            rolsuper OR rolcreaterole AS creates, EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS grouped,
            current_setting('datestyle') AS "dateStyle"
       FROM pg_roles WHERE rolname = current_user`,
    [SERVICE_ROLE],
  );
  const [row] = result.rows;
  if (row === undefined) throw new Error('PostgreSQL did not tell the rights of the current role.');
  return row;
}

/**
 * Settings of the service's sessions. PostgreSQL ends those of a machine that vanished after a minute of
 * silence (by the default of Linux after two hours), and those whose transaction is open without a statement
 * for three minutes, with its locks. Sending a mail keeps one open so for up to 165 s.
 */
const SESSION_SETTINGS = [
  ['timezone', 'UTC'],
  ['datestyle', 'ISO'],
  ['tcp_keepalives_idle', '30'],
  ['tcp_keepalives_interval', '10'],
  ['tcp_keepalives_count', '3'],
  ['idle_in_transaction_session_timeout', `${MAX_REST_MINUTES}min`],
] as const;

async function createServiceLogin(
  owner: pg.Client,
  ownerUrl: string,
  rights: OwnerRights,
  secretsKey: string,
): Promise<string> {
  const { login, password } = serviceLogin(secretsKey, rights.database);
  await ignoringRace(owner, `CREATE ROLE ${SERVICE_ROLE} NOLOGIN`);
  await ignoringRace(owner, `CREATE ROLE ${login} LOGIN NOINHERIT`);
  await retryingRace(owner, `ALTER ROLE ${login} LOGIN INHERIT PASSWORD ${pg.escapeLiteral(password)}`);
  for (const [setting, value] of SESSION_SETTINGS)
    await retryingRace(owner, `ALTER ROLE ${login} SET ${setting} = '${value}'`);
  await retryingRace(owner, `GRANT ${SERVICE_ROLE} TO ${login}`);
  await owner.query(`GRANT USAGE ON SCHEMA public TO ${SERVICE_ROLE}`);
  const url = new URL(ownerUrl);
  url.username = login;
  url.password = password;
  return url.toString();
}

/** Roles belong to the whole cluster: the start of another database may have just created this one. */
async function ignoringRace(owner: pg.Client, statement: string): Promise<void> {
  try {
    await owner.query(statement);
  } catch (error) {
    if (!['42710', UNIQUE_VIOLATION].includes(sqlState(error))) throw error;
  }
}

/** `tuple concurrently updated` (XX000): two databases of one cluster change roles at once. */
async function retryingRace(owner: pg.Client, statement: string, triesLeft = 20): Promise<void> {
  try {
    await owner.query(statement);
  } catch (error) {
    if (sqlState(error) !== 'XX000' || triesLeft === 0) throw error;
    await new Promise((resolve) => setTimeout(resolve, 25));
    await retryingRace(owner, statement, triesLeft - 1);
  }
}
