import { mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { findPostmaster, stopPostmaster } from '../../src/database/embedded/postmaster.js';
import { isRunning, processIdentity } from '../../src/database/embedded/processIdentity.js';
import { startEmbeddedPostgres } from '../../src/database/embedded/startEmbeddedPostgres.js';
import { migrate } from '../../src/database/migrate.js';
import {
  citusNodes,
  cloneCitusDatabase,
  createCitusTemplate,
  dropCitusDatabase,
  urlOf,
} from './citusNodes.js';
import { KeptConnection } from './KeptConnection.js';

/** The `SECRETS_KEY` of every test service. */
export const TEST_SECRETS_KEY = 'test-secrets-key-of-at-least-32-characters';

const PREFIX = 'consent-test-';

export interface TestDatabase {
  /**
   * As the role that owns the tables and bypasses row level security: for setting up and looking, never for
   * the service.
   */
  ownerUrl: string;
  /** As the role under row level security: what the service uses. */
  serviceUrl: string;
  /** A statement of the owner, which may set nothing of its session. */
  sql(text: string, values?: readonly unknown[]): Promise<pg.QueryResult<Record<string, unknown>>>;
  drop(): Promise<void>;
}

interface TestServer {
  /** Of a superuser, as is the kept connection. */
  url: string;
  admin: KeptConnection;
  template: string;
  /** How it copies a database; PostgreSQL 14 knows one way. */
  copying: string;
  stop: () => Promise<void>;
}

let server: Promise<TestServer> | undefined;
const created: string[] = [];

/**
 * A migrated database of its own for one test file. The first call of a run starts the run's one PostgreSQL.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { template } = await testServer();
  const ownerUrl = await createDatabase(template);
  // The template has every migration: only the login to this database is missing.
  const { serviceUrl } = await migrate(ownerUrl, { secretsKey: TEST_SECRETS_KEY }, () => Promise.resolve());
  const owner = new KeptConnection(ownerUrl);
  return {
    ownerUrl,
    serviceUrl,
    sql: (text, values) => owner.query(text, values),
    drop: async () => {
      await owner.close();
      await dropDatabase(databaseOf(ownerUrl));
    },
  };
}

/** A database without any table, for tests of the migrations themselves; its owner's URL. */
export async function createEmptyDatabase(): Promise<string> {
  return createDatabase('template0');
}

/** Ends the run's PostgreSQL and removes its data; called once, after the last test, passed or failed. */
export async function stopTestServer(): Promise<void> {
  const running = await server;
  await running?.admin.close();
  await running?.stop();
}

async function createDatabase(template: string): Promise<string> {
  const { admin, url, copying } = await testServer();
  const name = `test_${process.pid}_${created.length + 1}`;
  created.push(name);
  if (citusNodes.length > 0 && template !== 'template0') await cloneCitusDatabase(template, name);
  else await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template}${copying}`);
  return urlOf(url, name);
}

async function dropDatabase(name: string): Promise<void> {
  if (citusNodes.length > 0) return dropCitusDatabase(name);
  const { admin } = await testServer();
  await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

function testServer(): Promise<TestServer> {
  server ??= startTestServer();
  return server;
}

/**
 * `TEST_DATABASE_URL` names (with a superuser) another PostgreSQL to test against, such as one of the oldest
 * version that we serve.
 */
async function startTestServer(): Promise<TestServer> {
  const given = citusNodes[0] ?? process.env['TEST_DATABASE_URL'];
  const { url, stop } = given === undefined ? await startEmbedded() : { url: given, stop: dropCreated };
  const admin = new KeptConnection(url);
  const template = `test_${process.pid}_template`;
  created.push(template);
  if (citusNodes.length > 0) await createCitusTemplate(template, TEST_SECRETS_KEY);
  else {
    await admin.query(`CREATE DATABASE ${template} TEMPLATE template0`);
    await migrate(urlOf(url, template), { secretsKey: TEST_SECRETS_KEY });
  }
  return { url, admin, template, copying: given === undefined ? ' STRATEGY file_copy' : '', stop };
}

async function startEmbedded(): Promise<{ url: string; stop: () => Promise<void> }> {
  await removeAbandoned();
  const dataDir = mkdtempSync(join(realpathSync(tmpdir()), `${PREFIX}${processIdentity(process.pid)}-`));
  process.once('exit', () => removeAtExit(dataDir));
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  const log = { info: () => undefined, warn: (message: string) => console.warn(message) };
  const systemRoom = join(dataDir, 'system');
  const postgres = await startEmbeddedPostgres({ dataDir, log, fsync: false, systemRoom });
  const stop = async (): Promise<void> => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { url: postgres.url, stop };
}

async function dropCreated(): Promise<void> {
  for (const name of created) await dropDatabase(name);
}

/** What is left to do, synchronously, when the process ends before the teardown. */
function removeAtExit(dataDir: string): void {
  const running = findPostmaster(join(dataDir, 'postgres', 'cluster'));
  if (running !== undefined) process.kill(running.pid, 'SIGQUIT');
  rmSync(dataDir, { recursive: true, force: true });
}

/** What runs of ours that were killed left behind. */
async function removeAbandoned(): Promise<void> {
  const room = realpathSync(tmpdir());
  for (const name of readdirSync(room).filter((entry) => entry.startsWith(PREFIX))) {
    const dataDir = join(room, name);
    const identity = name.slice(PREFIX.length, name.lastIndexOf('-'));
    if (isRunning(identity) || statSync(dataDir, { throwIfNoEntry: false })?.uid !== process.getuid?.())
      continue;
    await stopPostmaster(join(dataDir, 'postgres', 'cluster'));
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function databaseOf(url: string): string {
  return new URL(url).pathname.slice(1);
}
