import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LaunchFailure } from './LaunchFailure.js';
import { commandLine, processesWorkingIn } from './processIdentity.js';

const POLL_MS = 20;
const FAST_SHUTDOWN_SECONDS = 30;
/** How long a server may take to say in its pid file that it stops, which it does before its last writes. */
const HEED_SECONDS = 3;
const ORPHANS_MAY_LINGER_SECONDS = 10;

/** A running server of one data directory, as in its postmaster.pid. */
export interface Postmaster {
  pid: number;
  port: number;
  status: string;
}

/** The running server of a data directory (its real path), whoever started it. */
export function findPostmaster(cluster: string): Postmaster | undefined {
  const written = readPidFile(cluster);
  return written !== undefined && serves(written.pid, cluster) ? written : undefined;
}

/** Whether a process is the server of this data directory: the pid may have been reused. */
function serves(pid: number, cluster: string): boolean {
  const command = commandLine(pid);
  return /(^|\/)postgres /.test(command) && command.includes(` -D ${cluster} `);
}

/**
 * postmaster.pid by lines: pid, data directory, start time, port, socket directory, address, memory key,
 * status.
 */
function readPidFile(cluster: string): Postmaster | undefined {
  try {
    const lines = readFileSync(pidFile(cluster), 'utf8').split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3]), status: (lines[7] ?? '').trim() };
  } catch {
    return undefined;
  }
}

function pidFile(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}

/**
 * Clears the data directory after a killed server: its backends may still be ending, and its pid file may
 * name an unrelated process, which would keep PostgreSQL from starting.
 */
export async function clearRemains(cluster: string): Promise<void> {
  const killed = readPidFile(cluster);
  if (killed === undefined) return;
  for (const signal of ['SIGQUIT', 'SIGKILL'] as const) await endBackends(cluster, signal);
  if (backendsOf(cluster).length > 0) {
    throw new LaunchFailure('Processes of a PostgreSQL that was killed still use the database in DATA_DIR.');
  }
  // If no process has the pid, PostgreSQL removes the file itself, after checking the shared memory in it.
  if (isTaken(killed.pid)) rmSync(pidFile(cluster), { force: true });
}

function isTaken(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function endBackends(cluster: string, signal: NodeJS.Signals): Promise<void> {
  const gone = (): boolean => backendsOf(cluster).length === 0;
  if (await within(ORPHANS_MAY_LINGER_SECONDS, gone)) return;
  for (const pid of backendsOf(cluster)) send(pid, signal);
}

/** Other processes may work in the directory, such as an operator's shell. */
function backendsOf(cluster: string): number[] {
  return processesWorkingIn(cluster).filter((pid) => /(^|\/)postgres[: ]/.test(commandLine(pid)));
}

/**
 * Stops the server: clients are disconnected, commits are safe. After a timeout it is killed, as in a crash;
 * a server that hangs, after a short one.
 */
export async function stopPostmaster(cluster: string): Promise<void> {
  const stopped = (): boolean => findPostmaster(cluster) === undefined;
  const heeded = (): boolean => ['stopping', undefined].includes(findPostmaster(cluster)?.status);
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    const running = findPostmaster(cluster);
    if (running === undefined) return;
    send(running.pid, signal);
    if ((await within(HEED_SECONDS, heeded)) && (await within(FAST_SHUTDOWN_SECONDS, stopped))) return;
  }
}

/** Polls until `condition` holds or time is up. Returns whether it held. */
export async function within(seconds: number, condition: () => boolean): Promise<boolean> {
  const end = performance.now() + seconds * 1000;
  while (!condition()) {
    if (performance.now() > end) return false;
    await sleep(POLL_MS);
  }
  return true;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
