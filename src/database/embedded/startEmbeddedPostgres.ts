import { readFileSync, realpathSync } from 'node:fs';
import pg from 'pg';
import { ClusterFiles } from './ClusterFiles.js';
import { findBinaries } from './findBinaries.js';
import { holdLock } from './holdLock.js';
import { OWNER_ROLE, initializeCluster } from './initializeCluster.js';
import { LaunchFailure } from './LaunchFailure.js';
import { launchPostmaster } from './launchPostmaster.js';
import type { Launch } from './launchPostmaster.js';
import { findPostmaster, stopPostmaster, within } from './postmaster.js';
import type { Postmaster } from './postmaster.js';
import { ServerUsers } from './ServerUsers.js';
import { serverAccount } from './serverAccount.js';
import { SYSTEM_ROOM } from './systemDirectory.js';
import { watchPostmaster } from './watchPostmaster.js';

const DATABASE = 'consent';
const RECOVERY_SECONDS = 600;

export interface LaunchLog {
  info(message: string): void;
  warn(message: string): void;
}

export interface EmbeddedOptions {
  /** The service's DATA_DIR; the server's files lie in `postgres` below it. */
  dataDir: string;
  log: LaunchLog;
  /** False only where the data may be lost with the machine: tests. */
  fsync?: boolean;
  /** Where root puts what the server's user cannot reach in DATA_DIR or in the clone. */
  systemRoom?: string;
}

export interface EmbeddedPostgres {
  /** As the role that owns everything, for migrations. */
  url: string;
  /** Whether the server was running already: left by a killed service, or shared with one that lives. */
  adopted: boolean;
  /** Ends our use of the server, and the server itself when no other service uses it. */
  stop(): Promise<void>;
}

/**
 * A PostgreSQL of our own under DATA_DIR, from the binaries of the npm packages: made at the first start,
 * adopted where it still runs, recovered where it was killed, on 127.0.0.1 at a free port. While in use it is
 * started again should it die. Services of one DATA_DIR share it, and the last one out stops it.
 *
 * @throws LaunchFailure saying what the operator can do
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log, fsync = true, systemRoom = SYSTEM_ROOM } = options;
  const files = new ClusterFiles(dataDir, systemRoom);
  const users = new ServerUsers(files.users);
  const release = await holdLock(files.lock, () =>
    log.info('Another service is starting or stopping the database here: waiting for it.'),
  );
  try {
    const launch = prepareLaunch(files, log, fsync);
    const found = await runningServer(launch);
    const server = found ?? (await launchPostmaster(launch));
    const url = await ensureDatabase(files, server);
    users.enter();
    const unwatch = watchPostmaster({ ...launch, port: server.port }, log);
    return {
      url,
      adopted: found !== undefined,
      stop: once(() => leave(files, users, launch.cluster, unwatch)),
    };
  } finally {
    release();
  }
}

function prepareLaunch(files: ClusterFiles, log: LaunchLog, fsync: boolean): Launch {
  const account = serverAccount(files.owner());
  if (account.uid !== undefined) files.openForOtherUser();
  const binaries = findBinaries(account, files);
  if (files.owner() === undefined) log.info('Making a new PostgreSQL database (once).');
  initializeCluster(files, account, binaries, fsync);
  const onSlow = (): void => log.info('PostgreSQL is still starting: it recovers what a crash left behind.');
  return { files, cluster: realpathSync(files.cluster), account, postgres: binaries.postgres, fsync, onSlow };
}

/** The server that runs here already, once it takes connections; none when it is on its way out. */
async function runningServer({ cluster, onSlow }: Launch): Promise<Postmaster | undefined> {
  const settled = (): boolean => ['ready', undefined].includes(findPostmaster(cluster)?.status);
  if (!(await within(5, settled))) onSlow();
  if (!(await within(RECOVERY_SECONDS, settled)))
    throw new LaunchFailure('The PostgreSQL of this DATA_DIR runs, but does not take connections.');
  return findPostmaster(cluster);
}

/**
 * Made after every start when missing, not by initdb: a kill between the two must not leave a server without
 * it.
 */
async function ensureDatabase(files: ClusterFiles, { port }: Postmaster): Promise<string> {
  const password = readFileSync(files.password, 'utf8').trim();
  const urlOf = (database: string): string =>
    `postgresql://${OWNER_ROLE}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`;
  const client = new pg.Client({ connectionString: urlOf('postgres') });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  } finally {
    await client.end();
  }
  return urlOf(DATABASE);
}

async function leave(
  files: ClusterFiles,
  users: ServerUsers,
  cluster: string,
  unwatch: () => void,
): Promise<void> {
  unwatch();
  const release = await holdLock(files.lock);
  try {
    if (users.leave()) await stopPostmaster(cluster);
  } finally {
    release();
  }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= work());
}
