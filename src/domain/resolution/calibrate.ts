import { clampProbability } from './calibrationBins.js';
import { logistic, logit } from './logOdds.js';
import type { CalibrationPoint } from './types.js';

/** Keeps a bounded winner above the runner-up by more than rounding errors. */
const MARGIN_OF_WINNER = 1e-6;

/** Posteriors closer than this are a tie, which calibration must not break. */
const TIE = 1e-8;

function at(probability: number): number {
  return logit(clampProbability(probability));
}

/** Calibrated confidence of a posterior: interpolates the curve linearly, in log-odds of both. */
export function calibratedConfidence(curve: readonly CalibrationPoint[], posterior: number): number {
  const [first, last] = [curve[0], curve.at(-1)];
  if (first === undefined || last === undefined) return posterior;
  if (posterior <= first.posterior) return (first.confidence * posterior) / first.posterior;
  const next = curve.findIndex((point) => point.posterior >= posterior);
  const [below, above] = [curve[next - 1], curve[next]];
  if (below === undefined || above === undefined) return last.confidence;
  const width = at(above.posterior) - at(below.posterior);
  const share = width <= 0 ? 1 : (at(posterior) - at(below.posterior)) / width;
  return logistic(at(below.confidence) + share * (at(above.confidence) - at(below.confidence)));
}

/**
 * Replaces the posterior of a contested fact's winner by its calibrated confidence and rescales the other
 * values in proportion. Entries from `groups` on stand for unclaimed values. The winner stays the winner.
 */
export function calibrate(
  curve: readonly CalibrationPoint[],
  states: readonly number[],
  groups = states.length - 1,
): number[] {
  const claimed = states.slice(0, groups);
  const winner = claimed.indexOf(Math.max(...claimed));
  const posterior = claimed[winner] ?? 0;
  if (curve.length === 0 || claimed.length < 2 || posterior >= 1 || posterior <= 0) return [...states];
  const rest = states.reduce((sum, state, index) => (index === winner ? sum : sum + state), 0);
  const runnerUp = claimed.reduce(
    (most, state, index) => (index === winner ? most : Math.max(most, state)),
    0,
  );
  if (rest <= 0 || runnerUp > posterior - TIE) return [...states];
  const least = runnerUp / (rest + runnerUp) + MARGIN_OF_WINNER;
  const confidence = clampProbability(
    Math.max(calibratedConfidence(curve, posterior), Math.min(posterior, least)),
  );
  const scale = (1 - confidence) / rest;
  return states.map((state, index) => (index === winner ? confidence : state * scale));
}
