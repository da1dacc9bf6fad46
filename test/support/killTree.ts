import { execFileSync } from 'node:child_process';

/** SIGKILL to a process and its children, as a machine ends that loses its power. */
export function killTree(pid: number | undefined): void {
  if (pid === undefined) return;
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number));
  const children = pairs.flatMap(([child = 0, parent]) => (parent === pid ? [child] : []));
  for (const one of [pid, ...children]) {
    try {
      process.kill(one, 'SIGKILL');
    } catch {
      // Gone already.
    }
  }
}
