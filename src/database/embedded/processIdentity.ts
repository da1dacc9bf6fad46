import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

const ON_LINUX = process.platform === 'linux';

/**
 * The pid and the start time of a process, so that a reused pid has another identity. Undefined when no such
 * process runs; zombies do not count.
 */
export function processIdentity(pid: number): string | undefined {
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  const began = ON_LINUX ? beganOnLinux(pid) : beganElsewhere(pid);
  return began === undefined ? undefined : `${pid}.${began}`;
}

/** Whether the process with an identity still runs. */
export function isRunning(identity: string): boolean {
  return processIdentity(Number.parseInt(identity, 10)) === identity;
}

/** The command line of a process, its words separated by spaces; empty when it does not run. */
export function commandLine(pid: number): string {
  if (ON_LINUX) return readOrEmpty(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
  return outputOfPs(pid, 'command=');
}

/** Processes whose working directory is `directory`; empty on systems without /proc. */
export function processesWorkingIn(directory: string): number[] {
  if (!ON_LINUX) return [];
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.filter((pid) => workingDirectory(pid) === directory);
}

/**
 * Field 22 of /proc/PID/stat, in ticks since boot. Field 3 is the state; the name in field 2 may contain
 * anything.
 */
function beganOnLinux(pid: number): string | undefined {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
}

function beganElsewhere(pid: number): string | undefined {
  const [state, ...began] = outputOfPs(pid, 'stat=', 'lstart=').split(/\s+/);
  return state === undefined || state === '' || state.startsWith('Z')
    ? undefined
    : began.join('-').replaceAll(':', '-');
}

function outputOfPs(pid: number, ...columns: string[]): string {
  const args = [...columns.flatMap((column) => ['-o', column]), '-p', String(pid)];
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
  return spawnSync('ps', args, { encoding: 'utf8', env }).stdout?.trim() ?? '';
}

function workingDirectory(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
