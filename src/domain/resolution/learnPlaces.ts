import { MIN_FACTS_OF_DOMAIN } from './constants.js';
import { groupPlaces } from './groupPlaces.js';
import type { LearningData } from './LearningData.js';
import { eachFact } from './learnNumbers.js';
import type { Powers } from './learnNumbers.js';

/** Least share of an attribute's claims that are numbers. */
const MIN_NUMBERS_SHARE = 0.95;

/**
 * Finds the step in which distances between an attribute's values are measured, the finest unit of its
 * sources or the tolerance if that is more, and notes the place of each claim's value in `data.placeOf`.
 *
 * @param numbers per claim; `NaN` where it is none
 * @param facts of the attribute
 * @param powers of its sources
 * @param stated tolerance that the registry states
 * @returns undefined if the values are not numbers, or the facts too few
 */
export function learnPlaces(
  data: LearningData,
  numbers: Float64Array,
  facts: readonly number[],
  powers: Powers,
  stated: number,
): number | undefined {
  if (facts.length < MIN_FACTS_OF_DOMAIN) return undefined;
  let [claims, counted] = [0, 0];
  eachFact(data, facts, (_, start, end) => {
    claims += end - start;
    for (const number of numbers.subarray(start, end)) counted += Number(!Number.isNaN(number));
  });
  if (counted < MIN_NUMBERS_SHARE * claims) return undefined;
  const finest = Math.min(...powers.values());
  if (finest === Infinity) return undefined;
  const learned = data.learnedNumbers[data.attributeOf[facts[0] ?? 0] ?? 0];
  const units = new Map(learned?.units.map(({ source, unit }) => [source, unit]));
  const step = Math.max(10 ** finest, stated, learned?.tolerance ?? 0);
  eachFact(data, facts, (fact, start, end) => {
    const placed = Array.from({ length: end - start }, (_, index) => ({
      group: data.groupOf[start + index] ?? 0,
      number: numbers[start + index] ?? Number.NaN,
      unit: units.get(data.sources[data.sourceOf[start + index] ?? 0] ?? '') ?? 0,
    }));
    const places = groupPlaces(placed, data.groupsOf[fact] ?? 0, step);
    for (const [index, { group }] of placed.entries())
      data.placeOf[start + index] = places[group] ?? Number.NaN;
  });
  return step;
}
