import { groupBy } from '../groupBy.js';
import type { LearningData } from './LearningData.js';
import { comparePairs } from './comparePairs.js';
import type { ComparedPairs } from './comparePairs.js';
import { FULL_COMMON_ORIGIN, MIN_PAIR_FACTS, POOLED_PAIR_FACTS } from './constants.js';
import { copyRates } from './copyRates.js';
import type { Suspicion } from './copyRates.js';
import { factsToHoldOut } from './HeldOut.js';
import type { PairTable } from './PairTable.js';

/** Degrees to which sources take their values from common origins, 0 to 1. */
export interface CommonOrigin {
  overall: number;
  /** Of the attributes with enough facts. */
  byAttribute: Map<number, number>;
  /** Of each of them: the pairs that are suspected in it, and with probability 0 those that no longer are. */
  refined: Suspicion[];
}

/** Per source: whether it rounds the numbers of any attribute. */
function roundingSources({ sources, learnedNumbers }: LearningData): Set<number> {
  const names = new Set(
    learnedNumbers.flatMap((learned) => learned?.units.map(({ source }) => source) ?? []),
  );
  return new Set([...sources.keys()].filter((source) => names.has(sources[source] ?? '')));
}

/** Copied share of what pairs claim, divided by `FULL_COMMON_ORIGIN`. Pairs that both round copy nothing. */
function copiedShare(pairs: PairTable, suspicions: readonly Suspicion[], rounding: Set<number>): number {
  let [copied, facts] = [0, 0];
  for (let row = 0; row < pairs.rows; row += 1) facts += pairs.facts(row);
  for (const { first, second, probability, rate } of suspicions) {
    if (rounding.has(first) && rounding.has(second)) continue;
    copied += pairs.facts(pairs.rowOf(first, second)) * probability * rate;
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
  compared: ComparedPairs,
  suspicions: readonly Suspicion[],
  factsPerStep: number,
): Generator<undefined, CommonOrigin, undefined> {
  const { pairs } = compared;
  const rounding = roundingSources(data);
  const share = copiedShare(pairs, suspicions, rounding);
  const byAttribute = new Map<number, number>();
  const refined: Suspicion[] = [];
  const isOne = data.attributes.length < 2 || suspicions.length === 0;
  const sample = isOne ? [] : factsToHoldOut(data, data.starts.length - 1, 1);
  for (const [attribute, facts] of groupBy(sample, (fact) => data.attributeOf[fact] ?? 0)) {
    if (facts.length < MIN_PAIR_FACTS) continue;
    const own = yield* comparePairs(data, pairs.claims, facts, factsPerStep);
    const copied = facts.length * copiedShare(own.pairs, copyRates(own), rounding);
    const shrunk = (copied + POOLED_PAIR_FACTS * share) / (facts.length + POOLED_PAIR_FACTS);
    byAttribute.set(attribute, Math.min(1, shrunk));
    const found = copyRates(own, compared);
    const rows = new Set([-1, ...found.map(({ first, second }) => own.pairs.rowOf(first, second))]);
    const cleared = suspicions.filter(({ first, second }) => !rows.has(own.pairs.rowOf(first, second)));
    for (const each of found) refined.push({ ...each, attribute });
    for (const each of cleared) refined.push({ ...each, attribute, probability: 0, rate: 0 });
  }
  return { overall: Math.min(1, share), byAttribute, refined };
}
