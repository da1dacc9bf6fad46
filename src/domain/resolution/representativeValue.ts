import type { RankedValue } from './rankValues.js';
import type { JsonValue } from './types.js';

/**
 * Spelling of a value: the one that most claims use, then the strongest claim's, written as the strongest
 * claim with that spelling writes it. Claims with a coarser rounding unit than others do not count.
 */
export function representativeValue(value: RankedValue): JsonValue {
  const counts = new Map<string, number>();
  const finest = Math.min(...value.claims.map(({ unit }) => unit));
  const claims = value.claims.filter(({ unit }) => unit === finest);
  for (const { canonical } of claims) counts.set(canonical, (counts.get(canonical) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const writer = claims.find(({ canonical }) => counts.get(canonical) === most);
  return writer?.claim.value ?? null;
}
