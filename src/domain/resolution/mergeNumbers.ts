import { DAY_MS } from '../timestamp.js';
import { canonicalDate } from './canonicalDate.js';
import { numberOf } from './numberOf.js';
import type { AttributeRule } from './types.js';

/** NaN for a form that is no number or date. */
function measure(value: string, rule: AttributeRule): number {
  if (rule.type !== 'date') return numberOf(value);
  return canonicalDate(value) === value ? Date.parse(value) / DAY_MS : Number.NaN;
}

function agree(a: number, b: number, rule: AttributeRule): boolean {
  const magnitude = rule.type === 'date' ? 0 : Math.max(Math.abs(a), Math.abs(b));
  return Math.abs(a - b) <= Math.max(rule.tolerance ?? 0, (rule.relativeTolerance ?? 0) * magnitude);
}

/**
 * Groups numbers (or dates) within tolerance of a group's smallest, so that a chain of small steps cannot
 * join distant values. A value that is not a number stays alone.
 */
export function mergeNumbers(distinct: readonly string[], rule: AttributeRule): Map<string, number> {
  const measured = distinct.map((value) => ({ value, number: measure(value, rule) }));
  const numbers = measured
    .filter(({ number }) => Number.isFinite(number))
    .toSorted((a, b) => a.number - b.number);
  const groups = new Map<string, number>();
  let anchor = Number.NaN;
  let group = -1;
  for (const { value, number } of numbers) {
    if (!agree(anchor, number, rule)) {
      anchor = number;
      group += 1;
    }
    groups.set(value, group);
  }
  for (const { value, number } of measured) if (!Number.isFinite(number)) groups.set(value, (group += 1));
  return groups;
}
