/**
 * Durations are counted in logarithmic steps from 0.1 ms, four per doubling: quantiles are at most 19 % too
 * long.
 */
const FIRST_MS = 0.1;
const STEPS_PER_DOUBLING = 4;

/** The last step counts everything longer than 104 s. */
export const LAST_STEP = 80;

export function durationStep(durationMs: number): number {
  const step = Math.ceil(Math.log2(Math.max(durationMs, FIRST_MS) / FIRST_MS) * STEPS_PER_DOUBLING);
  return Math.min(LAST_STEP, Math.max(0, step));
}

/** The quantile of a share in [0, 1], as the upper bound of its step; null without counts. */
export function quantileMs(counts: ReadonlyMap<number, number>, share: number): number | null {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let seen = 0;
  for (const [step, count] of [...counts].toSorted(([a], [b]) => a - b)) {
    seen += count;
    if (seen >= total * share) return upperBound(step);
  }
  return upperBound(LAST_STEP);
}

/** In ms, to three digits. */
function upperBound(step: number): number {
  return Number((FIRST_MS * 2 ** (step / STEPS_PER_DOUBLING)).toPrecision(3));
}
