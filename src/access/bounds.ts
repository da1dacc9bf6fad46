import type { Constraints, Problem } from './constrained.js';

/** The problem of a text's length or pattern. Lengths count characters (code points). */
export function lengthProblem(
  value: unknown,
  { minLength = 0, maxLength = Infinity, pattern }: Constraints,
): Problem | undefined {
  if (typeof value !== 'string') return undefined;
  const length = charactersIn(value, minLength, maxLength);
  if (length < minLength)
    return { code: 'too_short', message: `must have at least ${plural(minLength, 'character')}` };
  if (length > maxLength)
    return { code: 'too_long', message: `must have at most ${plural(maxLength, 'character')}` };
  if (pattern !== undefined && !pattern.test(value))
    return { code: 'invalid_format', message: `must match ${pattern.source}` };
  return undefined;
}

/**
 * The number of code points, or of UTF-16 units where both satisfy the bounds alike: there are at least half
 * as many code points as units, and no more.
 */
function charactersIn(value: string, minLength: number, maxLength: number): number {
  return value.length >= 2 * minLength && value.length <= maxLength ? value.length : [...value].length;
}

/** The problem of a number's bounds, both inclusive. */
export function boundProblem(
  value: unknown,
  { minimum = -Infinity, maximum = Infinity }: Constraints,
): Problem | undefined {
  if (typeof value !== 'number') return undefined;
  if (value < minimum) return { code: 'out_of_range', message: `must be at least ${minimum}` };
  if (value > maximum) return { code: 'out_of_range', message: `must be at most ${maximum}` };
  return undefined;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
