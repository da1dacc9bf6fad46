/**
 * The wait after a failure: `first` after the first one, twice as long after each further one.
 *
 * @param earlier failures in a row before this one
 * @param first in the unit of the result
 */
export function backOff(earlier: number, first: number, max = Infinity): number {
  return Math.min(first * 2 ** earlier, max);
}
