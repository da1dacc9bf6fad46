import { readFileSync, readdirSync } from 'node:fs';

/** Linux tells processor time in ticks of this length, whatever the kernel's own. */
const TICK_MS = 10;

interface Used {
  parent: number;
  ms: number;
}

/**
 * Processor time used so far by a process and all below it, ended ones included, in milliseconds; NaN where
 * there is no /proc.
 */
export function cpuOfTree(pid: number): number {
  return sumBelow(readProcesses(), pid);
}

function sumBelow(processes: ReadonlyMap<number, Used>, pid: number): number {
  const below = [...processes].filter(([, { parent }]) => parent === pid);
  return below.reduce(
    (sum, [child]) => sum + sumBelow(processes, child),
    processes.get(pid)?.ms ?? Number.NaN,
  );
}

/** The process that started this one; 0 where there is no /proc. */
export function parentOf(pid: number): number {
  return readUsed(pid)?.parent ?? 0;
}

function readProcesses(): Map<number, Used> {
  const found = new Map<number, Used>();
  for (const name of namesIn('/proc')) {
    const pid = Number(name);
    const used = Number.isInteger(pid) ? readUsed(pid) : undefined;
    if (used !== undefined) found.set(pid, used);
  }
  return found;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Own time and that of children which ended. @returns undefined when the process has ended meanwhile */
function readUsed(pid: number): Used | undefined {
  try {
    // The name in brackets may hold spaces: fields are counted from behind it, where the third one stands
    // first.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), ms: ticks * TICK_MS };
  } catch {
    return undefined;
  }
}
