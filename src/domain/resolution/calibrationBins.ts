import { clamp, logistic, logit } from './logOdds.js';

/** Upper bounds of the bins, as log-odds of the winner. */
const EDGES = [-0.5, 0.25, 0.75, 1.25, 1.75, 2.5, 3.25, 4, 5, 6.5, 8.5, Infinity];

/** Outer bounds of the first and the last bin, for computing their middle. */
const [LEAST, MOST] = [-1.5, 10];

/** No probability of a curve is nearer to 0 or 1. */
const MARGIN = 1e-9;

export function clampProbability(probability: number): number {
  return clamp(probability, MARGIN, 1 - MARGIN);
}

export const BINS: readonly number[] = [...EDGES.keys()];

/** The bin of facts whose winner has this posterior. */
export function binOf(winner: number): number {
  const logOdds = logit(clampProbability(winner));
  return EDGES.findIndex((edge) => logOdds < edge);
}

/** The posterior in the middle of a bin, by log-odds. */
export function middleOf(bin: number): number {
  return logistic(((EDGES[bin - 1] ?? LEAST) + Math.min(EDGES[bin] ?? MOST, MOST)) / 2);
}
