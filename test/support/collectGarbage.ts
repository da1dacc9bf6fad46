import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/**
 * Collects all garbage, of weak references too: each holds on to its object until the job ends that made it.
 * What buffers held is counted as free by the collection after the one that found it.
 */
export async function collectGarbage(): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
}
