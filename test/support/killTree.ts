import { childrenOf } from './childrenOf.js';

/** SIGKILL to a process and its children, as a machine ends that loses its power. */
export function killTree(pid: number | undefined): void {
  if (pid === undefined) return;
  for (const one of [pid, ...childrenOf(pid)]) {
    try {
      process.kill(one, 'SIGKILL');
    } catch {
      // Gone already.
    }
  }
}
