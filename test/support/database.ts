import { mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findPostmaster, stopPostmaster } from '../../src/database/embedded/postmaster.js';
import { isRunning, processIdentity } from '../../src/database/embedded/processIdentity.js';
import { startEmbeddedPostgres } from '../../src/database/embedded/startEmbeddedPostgres.js';
import type { EmbeddedPostgres } from '../../src/database/embedded/startEmbeddedPostgres.js';
import { migrate } from '../../src/database/migrate.js';

/** The `SECRETS_KEY` of every test service. */
export const TEST_SECRETS_KEY = 'test-secrets-key-of-at-least-32-characters';

const PREFIX = 'consent-test-';
const TEMPLATE = 'consent_template';

export interface TestDatabase {
  /** As the role that owns the tables and bypasses row level security: for setting up and looking, never for the service. */
  ownerUrl: string;
  /** As the role under row level security: what the service uses. */
  serviceUrl: string;
  drop(): Promise<void>;
}

interface TestServer {
  dataDir: string;
  postgres: EmbeddedPostgres;
}

let server: Promise<TestServer> | undefined;
let databases = 0;

/** A migrated database of its own for one test file. The first call of a run starts the run's one PostgreSQL. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const ownerUrl = await createDatabase(TEMPLATE);
  const { serviceUrl } = await migrate(ownerUrl, TEST_SECRETS_KEY);
  return { ownerUrl, serviceUrl, drop: () => dropDatabase(ownerUrl) };
}

/** A database without any table, for tests of the migrations themselves; its owner's URL. */
export async function createEmptyDatabase(): Promise<string> {
  return createDatabase('template0');
}

async function createDatabase(template: string): Promise<string> {
  const { postgres } = await (server ??= startTestServer());
  const name = `test_${process.pid}_${(databases += 1)}`;
  await execute(postgres.url, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  return urlOf(postgres.url, name);
}

async function dropDatabase(url: string): Promise<void> {
  const { postgres } = await (server ??= startTestServer());
  await execute(postgres.url, `DROP DATABASE IF EXISTS ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
}

async function startTestServer(): Promise<TestServer> {
  await removeAbandoned();
  const dataDir = mkdtempSync(join(realpathSync(tmpdir()), `${PREFIX}${processIdentity(process.pid)}-`));
  process.once('exit', () => removeAtExit(dataDir));
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  const log = { info: () => undefined, warn: (message: string) => console.warn(message) };
  const systemRoom = join(dataDir, 'system');
  const postgres = await startEmbeddedPostgres({ dataDir, log, fsync: false, systemRoom });
  await execute(postgres.url, `CREATE DATABASE ${TEMPLATE}`);
  await migrate(urlOf(postgres.url, TEMPLATE), TEST_SECRETS_KEY);
  return { dataDir, postgres };
}

/** Ends the run's PostgreSQL and removes its data; called once, after the last test, passed or failed. */
export async function stopTestServer(): Promise<void> {
  const running = await server;
  if (running === undefined) return;
  await running.postgres.stop();
  rmSync(running.dataDir, { recursive: true, force: true });
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
    if (isRunning(identity) || statSync(dataDir, { throwIfNoEntry: false })?.uid !== process.getuid?.()) continue;
    await stopPostmaster(join(dataDir, 'postgres', 'cluster'));
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function urlOf(base: string, database: string): string {
  const url = new URL(base);
  url.pathname = `/${database}`;
  return url.toString();
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
