import { groupBy } from '../groupBy.js';
import type { RankedValue } from './rankValues.js';
import type { JsonValue } from '../jsonValue.js';

/**
 * How a value is written: in the canonical form that most claims have, as most of those spell it; of equally
 * many, as the strongest claim does. Claims with a coarser rounding unit than others do not count.
 */
export function representativeValue({ claims }: RankedValue): JsonValue {
  const finest = Math.min(...claims.map(({ unit }) => unit));
  const fine = claims.filter(({ unit }) => unit === finest);
  const alike = mostFrequent(fine, ({ canonical }) => canonical);
  const [writer] = mostFrequent(alike, ({ claim }) => JSON.stringify(claim.value));
  return writer?.claim.value ?? null;
}

/** The items with the most frequent key; of equally frequent ones, with the first. */
function mostFrequent<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const groups = [...groupBy(items, keyOf).values()];
  return groups.reduce((most, group) => (group.length > most.length ? group : most), []);
}
