import { spawnSync } from 'node:child_process';

/**
 * Lets this process have a core whenever it wants one while it works (SCHED_FIFO, sched(7)), as if the load
 * came from another machine: otherwise what it measures is its own waiting too. What it starts meanwhile
 * inherits that: start servers before.
 *
 * @param work told whether that was allowed, which takes root or CAP_SYS_NICE
 */
export async function aheadOfAll<T>(work: (ahead: boolean) => Promise<T>): Promise<T> {
  const ahead = schedule('--fifo', 1);
  try {
    return await work(ahead);
  } finally {
    if (ahead) schedule('--other', 0);
  }
}

function schedule(policy: string, priority: number): boolean {
  return spawnSync('chrt', [policy, '--pid', String(priority), String(process.pid)]).status === 0;
}
