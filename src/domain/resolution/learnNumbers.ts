import type { LearningData } from './LearningData.js';
import { decimalPower, MAX_POWER, MIN_POWER } from './decimalPower.js';
import { groupByNumber } from './groupByNumber.js';
import type { LearnedNumbers } from './types.js';

/** A source's unit divides all but this share of its numbers, of which there are at least `MIN_NUMBERS`. */
const EXCEPTIONS = 0.05;
const MIN_NUMBERS = 20;

/** From this share of pairs of sources with identical numbers on, all digits count: the tolerance is 0. */
const EXACT_AGREEMENT = 0.2;

/** Least number of facts with at least three unrounded claims to learn a tolerance from. */
const MIN_SPREAD_FACTS = 50;

/** Tolerance in standard deviations of a claim, and its greatest share of the facts' interquartile range. */
const DEVIATIONS = 3;
const MAX_TOLERANCE_SHARE = 0.1;

/** Standard deviation of a normal distribution by its median absolute deviation. */
const OF_MEDIAN_DEVIATION = 1.4826;

function quantile(sorted: readonly number[] | Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

function median(numbers: readonly number[]): number {
  return quantile(
    numbers.toSorted((a, b) => a - b),
    0.5,
  );
}

/** Calls back with the range of claims of each of the facts. */
export function eachFact(
  { starts }: LearningData,
  facts: readonly number[],
  work: (fact: number, start: number, end: number) => void,
): void {
  for (const fact of facts) work(fact, starts[fact] ?? 0, starts[fact + 1] ?? 0);
}

/** Per source with enough numbers: the power of ten to which it rounds. */
export type Powers = ReadonlyMap<number, number>;

/** The powers of one attribute's sources. `facts`: of the attribute. */
export function powersOf(data: LearningData, numbers: Float64Array, facts: readonly number[]): Powers {
  const powers = new Map<number, Int32Array>();
  eachFact(data, facts, (_, start, end) => {
    for (let claim = start; claim < end; claim += 1) {
      const number = numbers[claim] ?? Number.NaN;
      if (Number.isNaN(number) || number === 0) continue;
      const source = data.sourceOf[claim] ?? 0;
      const counts = powers.get(source) ?? new Int32Array(MAX_POWER - MIN_POWER + 1);
      const at = decimalPower(number) - MIN_POWER;
      counts[at] = (counts[at] ?? 0) + 1;
      powers.set(source, counts);
    }
  });
  const rounding = new Map<number, number>();
  for (const [source, counts] of powers) {
    const total = counts.reduce((sum, count) => sum + count, 0);
    if (total < MIN_NUMBERS) continue;
    let below = 0;
    const power = counts.findIndex((count) => (below += count) > EXCEPTIONS * total);
    rounding.set(source, power + MIN_POWER);
  }
  return rounding;
}

/** Per source: the unit to which it rounds, for sources that round more coarsely than the finest. */
function unitsOf(powers: Powers): Map<number, number> {
  const finest = Math.min(...powers.values());
  return new Map(
    [...powers].filter(([, power]) => power > finest).map(([source, power]) => [source, 10 ** power]),
  );
}

/** Tolerance between unrounded numbers of one value; 0 if sources often give identical numbers. */
function toleranceOf(
  data: LearningData,
  numbers: Float64Array,
  facts: readonly number[],
  units: ReadonlyMap<number, number>,
): number {
  const middles: number[] = [];
  const deviations: number[] = [];
  let [pairs, equal] = [0, 0];
  eachFact(data, facts, (_, start, end) => {
    const exact: number[] = [];
    for (let claim = start; claim < end; claim += 1) {
      const number = numbers[claim] ?? Number.NaN;
      if (!Number.isNaN(number) && !units.has(data.sourceOf[claim] ?? 0)) exact.push(number);
    }
    const sorted = exact.toSorted((a, b) => a - b);
    pairs += Math.max(0, sorted.length - 1);
    for (let index = 1; index < sorted.length; index += 1)
      equal += Number(sorted[index] === sorted[index - 1]);
    if (sorted.length < 3) return;
    const middle = quantile(sorted, 0.5);
    middles.push(middle);
    for (const number of sorted) deviations.push(Math.abs(number - middle));
  });
  if (middles.length < MIN_SPREAD_FACTS || equal >= EXACT_AGREEMENT * pairs) return 0;
  const apart = middles.toSorted((a, b) => a - b);
  const most = MAX_TOLERANCE_SHARE * (quantile(apart, 0.75) - quantile(apart, 0.25));
  const tolerance = DEVIATIONS * OF_MEDIAN_DEVIATION * median(deviations);
  return tolerance <= most ? tolerance : 0;
}

/**
 * Learns which sources round and how far measurements spread, for a numeric attribute without a stated
 * tolerance, and regroups its claims accordingly.
 *
 * @param numbers per claim; `NaN` where it is no number
 * @param facts of the attribute
 * @param powers of its sources
 */
export function learnNumbers(
  data: LearningData,
  numbers: Float64Array,
  facts: readonly number[],
  powers: Powers,
): LearnedNumbers | undefined {
  const units = unitsOf(powers);
  const tolerance = toleranceOf(data, numbers, facts, units);
  if (units.size === 0 && tolerance === 0) return undefined;
  eachFact(data, facts, (fact, start, end) => {
    const claims = Array.from({ length: end - start }, (_, index) => ({
      canonical: String(data.groupOf[start + index]),
      number: numbers[start + index] ?? Number.NaN,
      unit: units.get(data.sourceOf[start + index] ?? 0) ?? 0,
    }));
    const groups = groupByNumber(claims, tolerance);
    for (const [index, group] of groups.entries()) data.groupOf[start + index] = group;
    data.groupsOf[fact] = Math.max(...groups) + 1;
  });
  const named = [...units].toSorted(([a], [b]) => a - b);
  return { tolerance, units: named.map(([source, unit]) => ({ source: data.sources[source] ?? '', unit })) };
}
