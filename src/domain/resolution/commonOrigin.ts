import type { LearningData } from './ClaimTable.js';
import { FULL_COMMON_ORIGIN } from './constants.js';
import type { CopyRates } from './copyRates.js';
import type { PairTable } from './PairTable.js';

/** Per source: whether it rounds the numbers of any attribute. */
function roundingSources({ sources, learnedNumbers }: LearningData): Set<number> {
  const names = new Set(
    learnedNumbers.flatMap((learned) => learned?.units.map(({ source }) => source) ?? []),
  );
  return new Set([...sources.keys()].filter((source) => names.has(sources[source] ?? '')));
}

/**
 * Degree to which sources take their values from common origins, 0 to 1: the copied share of what pairs of
 * sources claim, divided by `FULL_COMMON_ORIGIN` and capped at 1. Pairs of sources that both round count as
 * not copied, because rounding makes them agree.
 */
export function commonOrigin(
  data: LearningData,
  pairs: PairTable,
  { probabilities, rates }: CopyRates,
): number {
  const rounding = roundingSources(data);
  let [copied, facts] = [0, 0];
  for (let row = 0; row < pairs.rows; row += 1) {
    facts += pairs.facts(row);
    if (rounding.has(pairs.first(row)) && rounding.has(pairs.second(row))) continue;
    copied += pairs.facts(row) * (probabilities[row] ?? 0) * (rates[row] ?? 0);
  }
  return facts === 0 ? 0 : Math.min(1, copied / facts / FULL_COMMON_ORIGIN);
}
