import { childrenOf } from './childrenOf.js';

/** Sends a signal to a process and its children. The default ends them as a loss of power would. */
export function killTree(pid: number | undefined, signal: NodeJS.Signals = 'SIGKILL'): void {
  if (pid === undefined) return;
  for (const one of [pid, ...childrenOf(pid)]) {
    try {
      process.kill(one, signal);
    } catch {
      // Gone already.
    }
  }
}
