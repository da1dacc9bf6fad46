import type { RankedValue } from './rankValues.js';
import type { JsonValue } from './types.js';

/**
 * How a value is written: among its spellings the one most claims use, then the one of the strongest claim,
 * and of that spelling as the strongest claim wrote it. A number that some round is written as the others
 * write it.
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
