import { HARD_SHIFT, MIN_DOMAIN, RELIABILITY_MARGIN } from './constants.js';
import { clamp, logistic } from './logOdds.js';

/** How much the log-odds of being right are reduced on easy and on hard facts. */
export const SHIFTS: readonly number[] = [0, HARD_SHIFT];

/**
 * Probability that a claim is right on an easy (0) or a hard (1) fact. At least by chance on a hard one, and
 * wherever all values are known because they are few: there no claim speaks against its own value. An element
 * of a set (`ofElement`) is excepted: a source that lists many wrong elements makes each less likely.
 */
export function reliabilityIn(kind: number, logOdds: number, domain: number, ofElement = false): number {
  const atLeastByChance = kind !== 0 || (domain < MIN_DOMAIN && !ofElement);
  const least = atLeastByChance ? Math.max(RELIABILITY_MARGIN, 1 / domain) : RELIABILITY_MARGIN;
  return clamp(logistic(logOdds - (SHIFTS[kind] ?? 0)), least, 1 - RELIABILITY_MARGIN);
}
