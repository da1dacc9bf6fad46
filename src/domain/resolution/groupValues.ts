import { compareText } from './compareText.js';
import { isNameType, mergeNames } from './mergeNames.js';
import { mergeNumbers } from './mergeNumbers.js';
import type { AttributeRule } from './types.js';

/** Canonical value → index of its group. */
export type ValueGroups = ReadonlyMap<string, number>;

/**
 * Groups the canonical values of one fact that agree: equal values, numbers and dates within tolerance, and
 * names of which one abbreviates the other. The order of the values does not matter.
 */
export function groupValues(values: readonly string[], rule: AttributeRule): ValueGroups {
  const distinct = [...new Set(values)].toSorted(compareText);
  if (distinct.length < 2) return new Map(distinct.map((value) => [value, 0]));
  if (isNameType(rule.type)) return mergeNames(distinct, rule.type);
  if (rule.tolerance !== undefined || rule.relativeTolerance !== undefined)
    return mergeNumbers(distinct, rule);
  return new Map(distinct.map((value, index) => [value, index]));
}
