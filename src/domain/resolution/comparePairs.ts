import { AgreementFit } from './AgreementFit.js';
import type { LearningData } from './LearningData.js';
import { MAX_COMPARED_CLAIMS } from './constants.js';
import { PairTable } from './PairTable.js';

/** How often pairs of sources agree, and how often they would if they were independent. */
export interface ComparedPairs {
  pairs: PairTable;
  fit: AgreementFit;
}

/** Compares the sources with the most claims on these facts; yields after `factsPerStep` of them. */
export function* comparePairs(
  data: LearningData,
  claims: Int32Array,
  facts: Iterable<number>,
  factsPerStep: number,
): Generator<undefined, ComparedPairs, undefined> {
  const { starts, sourceOf, groupOf } = data;
  const pairs = new PairTable(claims);
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
  const fit = new AgreementFit(pairs, claims.length);
  yield* fit.fit();
  return { pairs, fit };
}
