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
import type { LaunchLog } from './watchPostmaster.js';

const DATABASE = 'consent';
const RECOVERY_SECONDS = 600;

export interface EmbeddedOptions {
  /** The service's DATA_DIR. The server's files are in its `postgres`. */
  dataDir: string;
  log: LaunchLog;
  /** False only if the data may be lost with the machine: tests. */
  fsync?: boolean;
  /** Root's place for files that the server's user cannot reach in DATA_DIR or in the clone. */
  systemRoom?: string;
}

export interface EmbeddedPostgres {
  /** With the role that owns everything, for migrations. */
  url: string;
  /** Whether the server was already running: left by a killed service, or shared with a running one. */
  adopted: boolean;
  /** Ends our use of the server, and stops it when no other service uses it. */
  stop(): Promise<void>;
}

/**
 * Runs PostgreSQL under DATA_DIR with the binaries of the npm packages, on 127.0.0.1 at a free port. It is
 * created at the first start, adopted if it runs, recovered if it was killed, and restarted if it dies while
 * in use. Services of one DATA_DIR share it; the last one stops it.
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

/** The server that already runs here, once it accepts connections; undefined if it is stopping. */
async function runningServer({ cluster, onSlow }: Launch): Promise<Postmaster | undefined> {
  const settled = (): boolean => ['ready', undefined].includes(findPostmaster(cluster)?.status);
  if (!(await within(5, settled))) onSlow();
  if (!(await within(RECOVERY_SECONDS, settled)))
    throw new LaunchFailure('The PostgreSQL of this DATA_DIR runs, but does not take connections.');
  return findPostmaster(cluster);
}

/** Created after every start if missing: a kill after initdb must not leave a server without it. */
async function ensureDatabase(files: ClusterFiles, { port }: Postmaster): Promise<string> {
  const password = readFileSync(files.password, 'utf8').trim();
  const urlOf = (database: string): string =>
    `postgresql://${OWNER_ROLE}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`;
  const client = new pg.Client({ connectionString: urlOf('postgres') });
  client.on('error', () => undefined);
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
