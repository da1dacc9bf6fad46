import type { LoadPlan } from './LoadClient.js';
import type { Sample } from './measureLoad.js';

export interface Played<T> {
  contestant: T;
  /** One of each round. */
  samples: Sample[];
}

export type Extent = Pick<LoadPlan, 'seconds' | 'requests'>;

export interface Rounds<T> {
  contestants: readonly T[];
  rounds: number;
  seconds: number;
  measure: (contestant: T, extent: Extent) => Promise<Sample>;
  progress: (line: string) => void;
}

/** Enough for V8 to have settled on its code. */
const WARM_UP: Extent = { seconds: 10, requests: 15_000 };

/**
 * Measures every contestant once per round, one after the other, so that whatever disturbs the machine
 * disturbs all alike.
 */
export async function playRounds<T>({
  contestants,
  rounds,
  seconds,
  measure,
  progress,
}: Rounds<T>): Promise<Played<T>[]> {
  const played = contestants.map((contestant): Played<T> => ({ contestant, samples: [] }));
  for (let round = 0; round <= rounds; round += 1) {
    for (const { contestant, samples } of played) {
      const sample = await measure(contestant, round === 0 ? WARM_UP : { seconds });
      if (round > 0) samples.push(sample);
    }
    progress(round === 0 ? 'warmed up' : `round ${round} of ${rounds}`);
  }
  return played;
}
