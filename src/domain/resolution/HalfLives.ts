import { DEFAULT_HALF_LIFE_DAYS } from './constants.js';
import { clamp } from './logOdds.js';
import { retention } from './truthFilter.js';

/** Bins of the time between two claims of one source: four to each doubling, from a quarter of a day. */
const FIRST_DAYS = 0.25;
const BINS_PER_DOUBLING = 4;
const BINS = 72;

/**
 * Levels of how far two numbers lie apart: 32 to each doubling, over all numbers. The lowest is of equal
 * values, the highest of values that no tolerance makes the same.
 */
const LEVELS_PER_DOUBLING = 32;
const FARTHEST_LEVEL = 1100 * LEVELS_PER_DOUBLING;

/** Candidate half-lives: two per doubling, from a week to 111 years, and "never changes". */
const CANDIDATES = [...Array.from({ length: 26 }, (_, index) => 7 * 2 ** (index / 2)), Infinity];

/** Candidate rates at which a source changes its claim although the value has not changed. */
const CONTRADICTIONS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5];

/** Candidate probabilities that a changed value is the old one again. */
const RETURNS = [0.01, 0.1, 0.3];

/** Least number of repeats to learn a half-life from, and least log-likelihood gain over the default. */
const MIN_REPEATS = 20;
const MIN_GAIN = 3;

function binOf(days: number): number {
  return Math.min(BINS - 1, Math.max(0, Math.floor(Math.log2(days / FIRST_DAYS) * BINS_PER_DOUBLING)));
}

function daysOf(bin: number): number {
  return FIRST_DAYS * 2 ** ((bin + 0.5) / BINS_PER_DOUBLING);
}

function levelOf(difference: number): number {
  const level = Math.floor(Math.log2(difference) * LEVELS_PER_DOUBLING);
  return clamp(level, -FARTHEST_LEVEL, FARTHEST_LEVEL);
}

function logLikelihood(
  counts: Float64Array,
  halfLifeDays: number,
  contradiction: number,
  returns: number,
): number {
  let sum = 0;
  for (let bin = 0; bin < BINS; bin += 1) {
    const same = counts[bin * 2] ?? 0;
    const changed = counts[bin * 2 + 1] ?? 0;
    if (same + changed === 0) continue;
    const kept = retention(daysOf(bin), halfLifeDays);
    const unchanged = (1 - contradiction) * (kept + (1 - kept) * returns);
    sum += same * Math.log(unchanged) + changed * Math.log(1 - unchanged);
  }
  return sum;
}

function bestLikelihood(counts: Float64Array, halfLifeDays: number): number {
  const scores = CONTRADICTIONS.flatMap((contradiction) =>
    RETURNS.map((returns) => logLikelihood(counts, halfLifeDays, contradiction, returns)),
  );
  return Math.max(...scores);
}

/** Learns half-lives of attributes from how often sources change their earlier claims. */
export class HalfLives {
  /** Per attribute: repeats by the level of their difference and the bin of their time. */
  readonly #counts = new Map<string, Map<number, number>>();

  /**
   * Counts a repeated claim of one source, `days` (more than 0) after its previous claim. `difference`: how
   * far the two numbers lie apart; 0 for equal values, `Infinity` for values that no tolerance makes alike.
   */
  addRepeat(attribute: string, days: number, difference: number): void {
    const counts = this.#counts.get(attribute) ?? new Map<number, number>();
    const at = levelOf(difference) * BINS + binOf(days);
    counts.set(at, (counts.get(at) ?? 0) + 1);
    this.#counts.set(attribute, counts);
  }

  /** In days; undefined unless the repeats favour it clearly over the default. */
  of(attribute: string, tolerance: number): number | undefined {
    const counts = this.#within(attribute, tolerance);
    if (counts.reduce((sum, count) => sum + count, 0) < MIN_REPEATS) return undefined;
    const scores = CANDIDATES.map((halfLife) => bestLikelihood(counts, halfLife));
    const best = scores.indexOf(Math.max(...scores));
    const gain = (scores[best] ?? 0) - bestLikelihood(counts, DEFAULT_HALF_LIFE_DAYS);
    return gain > MIN_GAIN ? CANDIDATES[best] : undefined;
  }

  /** Per bin of time: repeats of the same value, and of a changed one. */
  #within(attribute: string, tolerance: number): Float64Array {
    const within = new Float64Array(BINS * 2);
    const same = levelOf(tolerance);
    for (const [at, count] of this.#counts.get(attribute) ?? []) {
      const level = Math.floor(at / BINS);
      const place = (at - level * BINS) * 2 + (level <= same ? 0 : 1);
      within[place] = (within[place] ?? 0) + count;
    }
    return within;
  }
}
