import type { FactModel } from './factModel.js';
import { groupByNumber } from './groupByNumber.js';
import { groupValues } from './groupValues.js';
import { numberOf } from './numberOf.js';
import { hasLearnedTolerance } from './hasLearnedTolerance.js';
import type { ResolutionClaim } from './types.js';

/** Per claim: the index of its value among the fact's distinct values. Equal indexes mean agreement. */
export function groupClaims(
  claims: readonly ResolutionClaim[],
  canonicals: readonly string[],
  { rule, index }: FactModel,
): number[] {
  const attribute = claims[0]?.attribute ?? '';
  const learned = index.attribute(attribute)?.numbers;
  if (learned !== undefined && hasLearnedTolerance(rule)) {
    const numbers = claims.map(({ source }, position) => {
      const canonical = canonicals[position] ?? '';
      return { canonical, number: numberOf(canonical), unit: index.unit(source, attribute) };
    });
    return groupByNumber(numbers, learned.tolerance);
  }
  const groups = groupValues(canonicals, rule);
  return canonicals.map((canonical) => groups.get(canonical) ?? 0);
}
