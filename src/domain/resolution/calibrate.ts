import { clamp, logit } from './logOdds.js';
import type { CalibrationPoint } from './types.js';

const MARGIN = 1e-9;

/** More than rounding: a bounded winner is not tied with the next. */
const MARGIN_OF_WINNER = 1e-6;

/**
 * How far a posterior may be believed: between the points of the curve by log-odds, and never more than
 * itself.
 */
export function trusted(curve: readonly CalibrationPoint[], posterior: number): number {
  const [first, last] = [curve[0], curve.at(-1)];
  if (first === undefined || last === undefined) return posterior;
  if (posterior <= first.posterior)
    return Math.min(posterior, (first.confidence * posterior) / first.posterior);
  const next = curve.findIndex((point) => point.posterior >= posterior);
  const [below, above] = [curve[next - 1], curve[next]];
  if (below === undefined || above === undefined) return Math.min(posterior, last.confidence);
  const at = (probability: number): number => logit(clamp(probability, MARGIN, 1 - MARGIN));
  const width = at(above.posterior) - at(below.posterior);
  const share = width <= 0 ? 1 : (at(posterior) - at(below.posterior)) / width;
  return Math.min(posterior, below.confidence + share * (above.confidence - below.confidence));
}

/**
 * Bounds the posteriors of a contested fact: what the winner loses goes to the other values, in proportion.
 * The last entry stands for all values that nobody claims. The winner stays the winner.
 */
export function calibrate(curve: readonly CalibrationPoint[], states: readonly number[]): number[] {
  const claimed = states.slice(0, -1);
  const winner = claimed.indexOf(Math.max(...claimed));
  const posterior = claimed[winner] ?? 0;
  if (claimed.length < 2 || posterior >= 1 || posterior <= 0) return [...states];
  const rest = states.reduce((sum, state, index) => (index === winner ? sum : sum + state), 0);
  const runnerUp = claimed.reduce(
    (most, state, index) => (index === winner ? most : Math.max(most, state)),
    0,
  );
  if (rest <= 0) return [...states];
  const confidence = Math.min(
    posterior,
    Math.max(trusted(curve, posterior), runnerUp / (rest + runnerUp) + MARGIN_OF_WINNER),
  );
  if (confidence === posterior) return [...states];
  const scale = (1 - confidence) / rest;
  return states.map((state, index) => (index === winner ? confidence : state * scale));
}
