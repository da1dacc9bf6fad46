import { FEED_COPYING, FEED_RATE, TEMPER } from './constants.js';
import type { CopyRates } from './copyRates.js';
import type { PairTable } from './PairTable.js';
import type { DependenceModel } from './types.js';

/** A model of which sources copy each other. Learning chooses one of several. */
export interface Dependence {
  model: DependenceModel;
  /** Whether the source depends on any other. */
  isSuspect(source: number): boolean;
  /** Probability that a claim of one source copies the other's, before their values are compared. */
  copying(a: number, b: number): number;
  /** Per source: the smallest source index of its feed, if feeds are modelled. */
  feeds?: Int32Array;
}

/** No source copies another. */
export const INDEPENDENT: Dependence = { model: 'independent', isSuspect: () => false, copying: () => 0 };

/** Each pair of sources has its own copy rate. */
export function pairwise(pairs: PairTable, { probabilities, rates }: CopyRates, sources: number): Dependence {
  const suspects = new Uint8Array(sources);
  for (let row = 0; row < pairs.rows; row += 1) {
    if (probabilities[row] === 0) continue;
    suspects[pairs.first(row)] = 1;
    suspects[pairs.second(row)] = 1;
  }
  return {
    model: 'pairs',
    isSuspect: (source) => suspects[source] === 1,
    copying: (a, b) => {
      const row = pairs.rowOf(a, b);
      return row < 0 ? 0 : (probabilities[row] ?? 0) * (rates[row] ?? 0);
    },
  };
}

/** Pairwise copying times `TEMPER`: a feed counts more than one source and less than all its sources. */
export function tempered(pairs: Dependence): Dependence {
  return { ...pairs, model: 'tempered_pairs', copying: (a, b) => TEMPER * pairs.copying(a, b) };
}

/**
 * Per source: the smallest source index of its feed. Feeds are the connected components of the pairs whose
 * copying is at least `FEED_COPYING`.
 */
export function feedsOf(pairs: PairTable, { probabilities, rates }: CopyRates, sources: number): Int32Array {
  const feeds = Int32Array.from({ length: sources }, (_, source) => source);
  const root = (source: number): number => {
    let at = source;
    while ((feeds[at] ?? at) !== at) at = feeds[at] ?? at;
    return at;
  };
  for (let row = 0; row < pairs.rows; row += 1) {
    if ((probabilities[row] ?? 0) * (rates[row] ?? 0) < FEED_COPYING) continue;
    const [a, b] = [root(pairs.first(row)), root(pairs.second(row))];
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
