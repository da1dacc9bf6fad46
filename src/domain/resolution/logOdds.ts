/** Natural log-odds of a probability strictly between 0 and 1. */
export function logit(probability: number): number {
  return Math.log(probability / (1 - probability));
}

/** Inverse of `logit`. */
export function logistic(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}

export function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
