import { FEED_COPYING, FEED_RATE, TEMPER } from './constants.js';
import type { Suspicion } from './copyRates.js';
import type { PairTable } from './PairTable.js';
import type { DependenceModel } from './types.js';

/** A model of which sources copy each other. Learning chooses one of several. */
export interface Dependence {
  model: DependenceModel;
  /** Whether the source depends on any other. */
  isSuspect(source: number): boolean;
  /** Probability that a claim of one source copies the other's, if they agree; without attribute, of any. */
  copying(a: number, b: number, attribute?: number): number;
  /** As far as they count, if pairs of sources are modelled. */
  suspicions?: readonly Suspicion[];
  /** Per source: the smallest source index of its feed, if feeds are modelled. */
  feeds?: Int32Array;
}

/** No source copies another. */
export const INDEPENDENT: Dependence = { model: 'independent', isSuspect: () => false, copying: () => 0 };

/**
 * Each pair of sources has its own copy rate; in an attribute, another where it has its own suspicion. In
 * `tempered_pairs` `TEMPER` of it counts: a feed counts more than one source and less than all its sources.
 */
export function pairwise(
  model: 'tempered_pairs' | 'pairs',
  pairs: PairTable,
  suspicions: readonly Suspicion[],
): Dependence {
  const factor = model === 'pairs' ? 1 : TEMPER;
  const suspects = new Uint8Array(pairs.claims.length);
  const overall = new Float64Array(pairs.rows);
  const refined = new Map<number, number>();
  for (const { first, second, attribute, probability, rate } of suspicions) {
    const [row, copying] = [pairs.rowOf(first, second), factor * (probability * rate)];
    suspects[first] = 1;
    suspects[second] = 1;
    if (attribute === undefined) overall[row] = copying;
    else refined.set(attribute * pairs.rows + row, copying);
  }
  return {
    model,
    isSuspect: (source) => suspects[source] === 1,
    copying: (a, b, attribute = -1) => {
      const row = pairs.rowOf(a, b);
      return row < 0 ? 0 : (refined.get(attribute * pairs.rows + row) ?? overall[row] ?? 0);
    },
    suspicions: suspicions.map((each) => ({ ...each, rate: factor * each.rate })),
  };
}

/**
 * Per source: the smallest source index of its feed. Feeds are the connected components of the pairs whose
 * copying is at least `FEED_COPYING`.
 */
export function feedsOf(suspicions: readonly Suspicion[], sources: number): Int32Array {
  const feeds = Int32Array.from({ length: sources }, (_, source) => source);
  const root = (source: number): number => {
    let at = source;
    while ((feeds[at] ?? at) !== at) at = feeds[at] ?? at;
    return at;
  };
  for (const { first, second, probability, rate } of suspicions) {
    if (probability * rate < FEED_COPYING) continue;
    const [a, b] = [root(first), root(second)];
    feeds[Math.max(a, b)] = Math.min(a, b);
  }
  return feeds.map((_, source) => root(source));
}

/** Sources of one feed copy each other with probability `FEED_RATE`. */
export function grouped(feeds: Int32Array): Dependence {
  const sizes = new Int32Array(feeds.length);
  for (const feed of feeds) sizes[feed] = (sizes[feed] ?? 0) + 1;
  return {
    model: 'feeds',
    feeds,
    isSuspect: (source) => (sizes[feeds[source] ?? 0] ?? 0) > 1,
    copying: (a, b) => (feeds[a] === feeds[b] ? FEED_RATE : 0),
  };
}
