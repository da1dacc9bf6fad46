import { groupBy } from '../groupBy.js';
import { AgreementFit } from './AgreementFit.js';
import type { LearningData } from './ClaimTable.js';
import { FULL_COMMON_ORIGIN, MIN_PAIR_FACTS, POOLED_PAIR_FACTS } from './constants.js';
import { copyRates } from './copyRates.js';
import type { CopyRates } from './copyRates.js';
import { countPairs } from './countPairs.js';
import { factsToHoldOut } from './HeldOut.js';
import { PairTable } from './PairTable.js';

/** Degrees to which sources take their values from common origins, 0 to 1. */
export interface CommonOrigin {
  overall: number;
  /** Of the attributes with enough facts. */
  byAttribute: Map<number, number>;
}

/** Per source: whether it rounds the numbers of any attribute. */
function roundingSources({ sources, learnedNumbers }: LearningData): Set<number> {
  const names = new Set(
    learnedNumbers.flatMap((learned) => learned?.units.map(({ source }) => source) ?? []),
  );
  return new Set([...sources.keys()].filter((source) => names.has(sources[source] ?? '')));
}

/** Copied share of what pairs claim, divided by `FULL_COMMON_ORIGIN`. Pairs that both round copy nothing. */
function copiedShare(pairs: PairTable, { probabilities, rates }: CopyRates, rounding: Set<number>): number {
  let [copied, facts] = [0, 0];
  for (let row = 0; row < pairs.rows; row += 1) {
    facts += pairs.facts(row);
    if (rounding.has(pairs.first(row)) && rounding.has(pairs.second(row))) continue;
    copied += pairs.facts(row) * (probabilities[row] ?? 0) * (rates[row] ?? 0);
  }
  return copied / Math.max(1, facts) / FULL_COMMON_ORIGIN;
}

/**
 * Degree to which sources take their values from common origins: the copied share of what pairs of sources
 * claim, divided by `FULL_COMMON_ORIGIN` and capped at 1. In an attribute it is learned in the same way, from
 * its facts in a sample, and shrunk towards all attributes. Pairs of sources that both round count as not
 * copied, because rounding makes them agree.
 */
export function* commonOrigin(
  data: LearningData,
  pairs: PairTable,
  rates: CopyRates,
  factsPerStep: number,
): Generator<undefined, CommonOrigin, undefined> {
  const rounding = roundingSources(data);
  const share = copiedShare(pairs, rates, rounding);
  const origin: CommonOrigin = { overall: Math.min(1, share), byAttribute: new Map() };
  if (data.attributes.length < 2 || !rates.hasSuspects) return origin;
  const sample = factsToHoldOut(data, data.starts.length - 1, 1);
  for (const [attribute, facts] of groupBy(sample, (fact) => data.attributeOf[fact] ?? 0)) {
    if (facts.length < MIN_PAIR_FACTS) continue;
    const own = new PairTable(pairs.claims);
    yield* countPairs(own, data, facts, factsPerStep);
    const fit = new AgreementFit(own, data.sources.length);
    yield* fit.fit();
    const copied = facts.length * copiedShare(own, copyRates(own, fit), rounding);
    const shrunk = (copied + POOLED_PAIR_FACTS * share) / (facts.length + POOLED_PAIR_FACTS);
    origin.byAttribute.set(attribute, Math.min(1, shrunk));
  }
  return origin;
}
