import { execFileSync } from 'node:child_process';

/** The processes that a process has started and that have not ended. */
export function childrenOf(parent: number | undefined): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number));
  return pairs.flatMap(([child = 0, of]) => (of === parent ? [child] : []));
}
