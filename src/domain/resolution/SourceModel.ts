import {
  INITIAL_ACCURACY,
  INITIAL_ACCURACY_WEIGHT,
  INITIAL_SLOPE,
  INTERCEPT_SPREAD,
  RELIABILITY_MARGIN,
  SLOPE_SPREAD,
} from './constants.js';
import { clamp, logistic, logit } from './logOdds.js';

/** Claims that the initial accuracy counts for in `rightness`. */
const PRIOR_CLAIMS = 2;

/**
 * Per source a logistic regression of "the claim was right" on its stated log-odds, with Gaussian priors around means that are
 * learned from all sources. One round of expectations is summed by `add`, one Newton step taken by `update`.
 */
export class SourceModel {
  readonly intercept: Float64Array;
  readonly slope: Float64Array;
  readonly claims: Float64Array;
  /** Sum of the reliabilities of the source's claims. */
  readonly reliabilities: Float64Array;
  /** Per source: after the last round, the sum of its claims' posteriors, and their number. */
  readonly #right: Float64Array;
  readonly #counted: Float64Array;
  meanIntercept = logit(INITIAL_ACCURACY);
  meanSlope = INITIAL_SLOPE;
  readonly #sums: Float64Array;
  readonly #posteriors: Float64Array;

  constructor(sources: number) {
    this.intercept = new Float64Array(sources).fill(this.meanIntercept);
    this.slope = new Float64Array(sources).fill(this.meanSlope);
    this.claims = new Float64Array(sources);
    this.reliabilities = new Float64Array(sources);
    this.#right = new Float64Array(sources);
    this.#counted = new Float64Array(sources);
    this.#posteriors = new Float64Array(sources);
    this.#sums = new Float64Array(sources * 5);
  }

  reliability(source: number, stated: number): number {
    const probability = logistic((this.intercept[source] ?? 0) + (this.slope[source] ?? 0) * stated);
    return clamp(probability, RELIABILITY_MARGIN, 1 - RELIABILITY_MARGIN);
  }

  forget(): void {
    this.#sums.fill(0);
    this.#posteriors.fill(0);
    this.claims.fill(0);
    this.reliabilities.fill(0);
  }

  /** A claim of the source that is its own with probability `own` and was right with probability `posterior`. */
  add(source: number, stated: number, reliability: number, posterior: number, own: number): void {
    const sums = this.#sums;
    const at = source * 5;
    const surprise = own * (posterior - reliability);
    const curvature = own * reliability * (1 - reliability);
    sums[at] = (sums[at] ?? 0) + surprise;
    sums[at + 1] = (sums[at + 1] ?? 0) + surprise * stated;
    sums[at + 2] = (sums[at + 2] ?? 0) + curvature;
    sums[at + 3] = (sums[at + 3] ?? 0) + curvature * stated;
    sums[at + 4] = (sums[at + 4] ?? 0) + curvature * stated * stated;
    this.#posteriors[source] = (this.#posteriors[source] ?? 0) + posterior;
    this.claims[source] = (this.claims[source] ?? 0) + 1;
    this.reliabilities[source] = (this.reliabilities[source] ?? 0) + reliability;
  }

  /** Takes the step and returns the greatest change of an intercept. */
  update(): number {
    let greatest = 0;
    for (let source = 0; source < this.intercept.length; source += 1) {
      greatest = Math.max(greatest, this.#updateSource(source));
    }
    this.#updateMeans();
    this.#right.set(this.#posteriors);
    this.#counted.set(this.claims);
    return greatest;
  }

  /** Share of a source's claims, copied or not, that were right, `gain` more of them than the last round found. */
  rightness(source: number, gain: number): number {
    const right = (this.#right[source] ?? 0) + gain + PRIOR_CLAIMS * INITIAL_ACCURACY;
    return right / ((this.#counted[source] ?? 0) + PRIOR_CLAIMS);
  }

  #updateSource(source: number): number {
    const [g0 = 0, g1 = 0, h00 = 0, h01 = 0, h11 = 0] = this.#sums.subarray(source * 5, source * 5 + 5);
    const intercept = this.intercept[source] ?? 0;
    const slope = this.slope[source] ?? 0;
    const gradient0 = g0 - (intercept - this.meanIntercept) / INTERCEPT_SPREAD ** 2;
    const gradient1 = g1 - (slope - this.meanSlope) / SLOPE_SPREAD ** 2;
    const a = h00 + 1 / INTERCEPT_SPREAD ** 2;
    const c = h11 + 1 / SLOPE_SPREAD ** 2;
    const determinant = a * c - h01 * h01;
    const step = clamp((c * gradient0 - h01 * gradient1) / determinant, -1, 1);
    this.intercept[source] = intercept + step;
    this.slope[source] = clamp(slope + clamp((a * gradient1 - h01 * gradient0) / determinant, -0.5, 0.5), 0, 2);
    return Math.abs(step);
  }

  /** The means over sources, each weighed by how much its claims, not its prior, determined it. */
  #updateMeans(): void {
    let weights = INITIAL_ACCURACY_WEIGHT;
    let intercepts = INITIAL_ACCURACY_WEIGHT * logit(INITIAL_ACCURACY);
    let slopeWeights = INITIAL_ACCURACY_WEIGHT;
    let slopes = INITIAL_ACCURACY_WEIGHT * INITIAL_SLOPE;
    for (let source = 0; source < this.intercept.length; source += 1) {
      const h00 = this.#sums[source * 5 + 2] ?? 0;
      const h01 = this.#sums[source * 5 + 3] ?? 0;
      const h11 = (this.#sums[source * 5 + 4] ?? 0) - (h00 === 0 ? 0 : (h01 * h01) / h00);
      const weight = h00 / (h00 + 1 / INTERCEPT_SPREAD ** 2);
      const slopeWeight = Math.max(0, h11) / (Math.max(0, h11) + 1 / SLOPE_SPREAD ** 2);
      weights += weight;
      intercepts += weight * (this.intercept[source] ?? 0);
      slopeWeights += slopeWeight;
      slopes += slopeWeight * (this.slope[source] ?? 0);
    }
    this.meanIntercept = intercepts / weights;
    this.meanSlope = slopes / slopeWeights;
  }
}
