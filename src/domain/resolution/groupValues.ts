import { compareText } from './compareText.js';
import { mergeNames } from './mergeNames.js';
import { mergeNumbers } from './mergeNumbers.js';
import type { AttributeRule } from './types.js';

/** Canonical value → index of its group. */
export type ValueGroups = ReadonlyMap<string, number>;

/**
 * Groups the canonical values of one fact into values that agree: equal ones, numbers and dates within
 * tolerance, and names of which one abbreviates the other. A function of the set of values, whatever their
 * order.
 */
export function groupValues(values: readonly string[], rule: AttributeRule): ValueGroups {
  const distinct = [...new Set(values)].toSorted(compareText);
  if (distinct.length < 2) return new Map(distinct.map((value) => [value, 0]));
  if (rule.type === 'person_name' || rule.type === 'person_names') return mergeNames(distinct);
  if (rule.tolerance !== undefined || rule.relativeTolerance !== undefined)
    return mergeNumbers(distinct, rule);
  return new Map(distinct.map((value, index) => [value, index]));
}
