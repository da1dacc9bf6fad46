import { HARD_SHIFT, RELIABILITY_MARGIN } from './constants.js';
import { clamp, logistic } from './logOdds.js';

/** How much the log-odds of being right are reduced on easy and on hard facts. */
export const SHIFTS: readonly number[] = [0, HARD_SHIFT];

/** Probability that a claim is right on an easy (0) or a hard (1) fact; on a hard one at least by chance. */
export function reliabilityIn(kind: number, logOdds: number, domain: number): number {
  const least = kind === 0 ? RELIABILITY_MARGIN : Math.max(RELIABILITY_MARGIN, 1 / domain);
  return clamp(logistic(logOdds - (SHIFTS[kind] ?? 0)), least, 1 - RELIABILITY_MARGIN);
}
