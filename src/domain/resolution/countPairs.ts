import type { LearningData } from './ClaimTable.js';
import { MAX_COMPARED_CLAIMS } from './constants.js';
import type { PairTable } from './PairTable.js';

/** Adds to a table how often pairs of sources agree on these facts; yields after `factsPerStep` of them. */
export function* countPairs(
  pairs: PairTable,
  data: LearningData,
  facts: Iterable<number>,
  factsPerStep: number,
): Generator<undefined, void, undefined> {
  const { starts, sourceOf, groupOf } = data;
  let counted = 0;
  for (const fact of facts) {
    const end = starts[fact + 1] ?? 0;
    const first = Math.max(starts[fact] ?? 0, end - MAX_COMPARED_CLAIMS);
    for (let b = first + 1; b < end; b += 1) {
      for (let a = first; a < b; a += 1)
        pairs.add(sourceOf[a] ?? 0, sourceOf[b] ?? 0, groupOf[a] === groupOf[b]);
    }
    counted += 1;
    if (counted % factsPerStep === 0) yield undefined;
  }
}
