import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LaunchFailure } from './LaunchFailure.js';
import { commandLine, processesWorkingIn } from './processIdentity.js';

const POLL_MS = 20;
const FAST_SHUTDOWN_SECONDS = 30;
const ORPHANS_MAY_LINGER_SECONDS = 10;

/** A running server of one data directory, as its postmaster.pid tells. */
export interface Postmaster {
  pid: number;
  port: number;
  status: string;
}

/** The server that runs on a data directory (its real path), whoever started it. */
export function findPostmaster(cluster: string): Postmaster | undefined {
  const written = readPidFile(cluster);
  return written !== undefined && serves(written.pid, cluster) ? written : undefined;
}

/**
 * Whether a process is the server of this data directory: a pid alone may have been given to another process
 * since.
 */
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
 * Makes the data directory free for a new server after one that was killed: its backends may still be ending,
 * and its pid file may name a process that has nothing to do with us, which would keep PostgreSQL from
 * starting.
 */
export async function clearRemains(cluster: string): Promise<void> {
  const killed = readPidFile(cluster);
  if (killed === undefined) return;
  for (const signal of ['SIGQUIT', 'SIGKILL'] as const) await endBackends(cluster, signal);
  if (backendsOf(cluster).length > 0) {
    throw new LaunchFailure('Processes of a PostgreSQL that was killed still use the database in DATA_DIR.');
  }
  // With a pid that nobody has, PostgreSQL clears the file itself, after checks of its own on the shared
  // memory it names.
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

/** Not everything that stands in the directory is PostgreSQL: an operator's shell may. */
function backendsOf(cluster: string): number[] {
  return processesWorkingIn(cluster).filter((pid) => /(^|\/)postgres[: ]/.test(commandLine(pid)));
}

/**
 * Ends the server: its clients are cut off, what was committed is safe. Without an end in time, as after a
 * crash.
 */
export async function stopPostmaster(cluster: string): Promise<void> {
  const stopped = (): boolean => findPostmaster(cluster) === undefined;
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    const running = findPostmaster(cluster);
    if (running === undefined) return;
    send(running.pid, signal);
    if (await within(FAST_SHUTDOWN_SECONDS, stopped)) return;
  }
}

/** Looks again and again until `condition` holds or the time is over; whether it held. */
export async function within(seconds: number, condition: () => boolean): Promise<boolean> {
  const end = Date.now() + seconds * 1000;
  while (!condition()) {
    if (Date.now() > end) return false;
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
