import { FEED_COPYING, FEED_RATE, TEMPER } from './constants.js';
import type { CopyRates } from './copyRates.js';
import type { PairTable } from './PairTable.js';
import type { DependenceModel } from './types.js';

/** Which claims are copies of which: a model that learning chooses among. */
export interface Dependence {
  model: DependenceModel;
  /** Whether the source depends on any other. */
  isSuspect(source: number): boolean;
  /** Probability that a claim of one source is a copy of the other's, before their values are looked at. */
  copying(a: number, b: number): number;
  /** Per source the smallest source of its feed, where feeds are modelled. */
  feeds?: Int32Array;
}

/** Every source speaks for itself. */
export const INDEPENDENT: Dependence = { model: 'independent', isSuspect: () => false, copying: () => 0 };

/** Each pair copies at its own rate. */
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

/**
 * By pairs, of whose copying `TEMPER` counts: a feed weighs more than one source, and less than all it has.
 */
export function tempered(pairs: Dependence): Dependence {
  return { ...pairs, model: 'tempered_pairs', copying: (a, b) => TEMPER * pairs.copying(a, b) };
}

/**
 * Per source the smallest source of its feed: pairs that copy most of the time, and what hangs together
 * through them.
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

/** Sources of one feed speak with one voice. */
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
