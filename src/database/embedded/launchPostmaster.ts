import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterFiles } from './ClusterFiles.js';
import { freePort } from './freePort.js';
import { LaunchFailure } from './LaunchFailure.js';
import { clearRemains, findPostmaster } from './postmaster.js';
import type { Postmaster } from './postmaster.js';
import { SERVER_ENVIRONMENT } from './runAsServer.js';
import type { ServerAccount } from './serverAccount.js';

const MAX_TRIES = 5;
const MAX_LOG_BYTES = 16 * 1024 * 1024;

/**
 * By default glibc returns the memory of a large answer to the system after each statement and clears it for
 * the next, which costs an eighth of a read. With this, each connection keeps up to 16 MB (mallopt(3)). Other
 * C libraries ignore it.
 */
const KEPT_BYTES = String(16 * 1024 * 1024);
const KEPT_MEMORY = { MALLOC_TRIM_THRESHOLD_: KEPT_BYTES, MALLOC_MMAP_THRESHOLD_: KEPT_BYTES };

export interface Launch {
  files: ClusterFiles;
  /** The data directory's real path. */
  cluster: string;
  account: ServerAccount;
  postgres: string;
  fsync: boolean;
  /** The port that clients already use, after the server was killed. */
  port?: number;
  onSlow: () => void;
}

/**
 * Starts the server and waits until it accepts connections, including crash recovery. The server has its own
 * session: it outlives this process, and Ctrl-C reaches only the service, which stops it in order.
 */
export async function launchPostmaster(launch: Launch): Promise<Postmaster> {
  await clearRemains(launch.cluster);
  rotateLog(launch.files.log);
  for (let tries = 1; ; tries += 1) {
    const complaint = await attempt(launch, launch.port ?? (await freePort()));
    if (typeof complaint !== 'string') return complaint;
    const mayPass = /could not bind|address already in use|pre-existing shared memory/i.test(complaint);
    if (!mayPass || tries === MAX_TRIES) throw new LaunchFailure(`PostgreSQL did not start: ${complaint}`);
    await sleep(200 * tries);
  }
}

async function attempt(launch: Launch, port: number): Promise<Postmaster | string> {
  const logged = sizeOf(launch.files.log);
  const child = spawnServer(launch, port);
  let ended: string | undefined;
  child.once('error', (error) => (ended = error.message));
  child.once('exit', (code, signal) => (ended ??= `it ended with ${signal ?? code}`));
  for (let waited = 0; ; waited += 1) {
    await sleep(10);
    const running = findPostmaster(launch.cluster);
    if (running?.pid === child.pid && running?.status === 'ready') return running;
    if (ended !== undefined) return complaintIn(launch.files.log, logged) || ended;
    if (waited % 1000 === 500) launch.onSlow();
  }
}

function spawnServer(
  { files, cluster, account, postgres, fsync }: Launch,
  port: number,
): ReturnType<typeof spawn> {
  const log = openSync(files.log, 'a', 0o600);
  const args = ['-D', cluster, '-p', String(port), ...settings(fsync).flatMap((setting) => ['-c', setting])];
  const child = spawn(postgres, args, {
    ...account,
    cwd: '/',
    env: { ...SERVER_ENVIRONMENT, ...KEPT_MEMORY },
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();
  return child;
}

/** Statement errors are not logged: clients get them, and their values may be personal data. */
function settings(fsync: boolean): string[] {
  const safe = [
    'log_min_messages=log',
    'log_min_error_statement=panic',
    'log_error_verbosity=terse',
    'log_checkpoints=off',
  ];
  const room = [
    'max_connections=300',
    `shared_buffers=${cacheMb()}MB`,
    'jit=off',
    'timezone=UTC',
    'log_timezone=UTC',
    // After each checkpoint a page is logged whole once more. By default ten seconds of full load make one.
    'max_wal_size=4GB',
    'checkpoint_timeout=15min',
    // Until a new table has statistics, PostgreSQL takes an index for another that it would read whole.
    'autovacuum_naptime=5s',
  ];
  // Commits stay synchronous: only a crash of the machine may lose one, not a crash of PostgreSQL.
  // A small cache: PostgreSQL searches all of it when a database is dropped, and tests drop hundreds.
  const fast = ['fsync=off', 'full_page_writes=off', 'shared_buffers=256MB'];
  return ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...safe, ...room, ...(fsync ? [] : fast)];
}

/**
 * A quarter of the available memory, as PostgreSQL's manual recommends to start with, from 128 MB to 8 GB.
 */
function cacheMb(): number {
  // 0 where this process is not limited; more than the machine has where there is no limit.
  const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity);
  return Math.min(8192, Math.max(128, Math.floor(memory / 4 / 2 ** 20)));
}

function complaintIn(log: string, from: number): string {
  const lines = readFileSync(log).subarray(from).toString('utf8').trim().split('\n');
  const telling = lines.filter((line) => /FATAL|PANIC|ERROR|could not|cannot/i.test(line));
  return (telling.length > 0 ? telling : lines).slice(-4).join('; ');
}

function rotateLog(log: string): void {
  if (sizeOf(log) > MAX_LOG_BYTES) renameSync(log, `${log}.1`);
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
