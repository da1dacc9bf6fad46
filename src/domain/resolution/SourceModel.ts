import {
  ATTRIBUTE_SPREAD,
  INITIAL_ACCURACY,
  INITIAL_ACCURACY_WEIGHT,
  INITIAL_SLOPE,
  INTERCEPT_SPREAD,
  SLOPE_SPREAD,
} from './constants.js';
import { clamp, logit } from './logOdds.js';

/** Sums per source: gradient of intercept and slope, and the three entries of their curvature. */
const SUMS = 5;

/**
 * One logistic regression per source of "the claim was right" on its stated log-odds. The Gaussian priors
 * have means learned from all sources. Each source and attribute has an offset with a zero-mean prior. `add`
 * sums one round of expectations; `update` takes one Newton step.
 */
export class SourceModel {
  readonly intercept: Float64Array;
  readonly slope: Float64Array;
  /** Per cell (a source in one attribute); empty unless accuracy is learned by attribute. */
  readonly offset: Float64Array;
  meanIntercept = logit(INITIAL_ACCURACY);
  meanSlope = INITIAL_SLOPE;
  readonly #sums: Float64Array;
  readonly #cellSums: Float64Array;
  /** Per source: curvature of the intercept, from its claims in the last round. */
  readonly #curvature: Float64Array;
  /** Per source: the last step of the intercept. */
  readonly #steps: Float64Array;
  /** Per source: the share of a Newton step that is taken. */
  readonly #paces: Float64Array;

  /**
   * @param accuracies initial values, per source
   * @param isDamped whether a source that turns back takes shorter steps; at a bound of reliability, which
   *   sources of numbers that lie near the truth reach, it would swing for ever
   */
  constructor(
    accuracies: Float64Array,
    cells: number,
    private readonly isDamped: boolean,
  ) {
    this.intercept = accuracies.map(logit);
    this.slope = new Float64Array(accuracies.length).fill(this.meanSlope);
    this.offset = new Float64Array(cells);
    this.#sums = new Float64Array(accuracies.length * SUMS);
    this.#cellSums = new Float64Array(cells * 2);
    this.#curvature = new Float64Array(accuracies.length);
    this.#steps = new Float64Array(accuracies.length);
    this.#paces = new Float64Array(accuracies.length).fill(1);
  }

  /** Log-odds that a claim is right; `cell`: its place in `offset`, or -1. */
  logOdds(source: number, stated: number, cell: number): number {
    const own = (this.intercept[source] ?? 0) + (this.slope[source] ?? 0) * stated;
    return cell < 0 ? own : own + (this.offset[cell] ?? 0);
  }

  forget(): void {
    this.#sums.fill(0);
    this.#cellSums.fill(0);
  }

  /** Adds a claim that, alone, would raise the log-odds of its source by `gradient / curvature`. */
  add(source: number, stated: number, cell: number, gradient: number, curvature: number): void {
    const sums = this.#sums;
    const at = source * SUMS;
    sums[at] = (sums[at] ?? 0) + gradient;
    sums[at + 1] = (sums[at + 1] ?? 0) + gradient * stated;
    sums[at + 2] = (sums[at + 2] ?? 0) + curvature;
    sums[at + 3] = (sums[at + 3] ?? 0) + curvature * stated;
    sums[at + 4] = (sums[at + 4] ?? 0) + curvature * stated * stated;
    if (cell < 0) return;
    this.#cellSums[cell * 2] = (this.#cellSums[cell * 2] ?? 0) + gradient;
    this.#cellSums[cell * 2 + 1] = (this.#cellSums[cell * 2 + 1] ?? 0) + curvature;
  }

  /** Per source: the curvature of all its claims. */
  curvature(source: number): number {
    return this.#curvature[source] ?? 0;
  }

  /** Takes the step and returns the greatest change of an intercept. */
  update(): number {
    let greatest = 0;
    for (let source = 0; source < this.intercept.length; source += 1) {
      greatest = Math.max(greatest, this.#updateSource(source));
      this.#curvature[source] = this.#sums[source * SUMS + 2] ?? 0;
    }
    for (let cell = 0; cell < this.offset.length; cell += 1) this.#updateCell(cell);
    this.#updateMeans();
    return greatest;
  }

  #updateSource(source: number): number {
    const [g0 = 0, g1 = 0, h00 = 0, h01 = 0, h11 = 0] = this.#sums.subarray(
      source * SUMS,
      (source + 1) * SUMS,
    );
    const intercept = this.intercept[source] ?? 0;
    const slope = this.slope[source] ?? 0;
    const gradient0 = g0 - (intercept - this.meanIntercept) / INTERCEPT_SPREAD ** 2;
    const gradient1 = g1 - (slope - this.meanSlope) / SLOPE_SPREAD ** 2;
    const a = h00 + 1 / INTERCEPT_SPREAD ** 2;
    const c = h11 + 1 / SLOPE_SPREAD ** 2;
    const determinant = a * c - h01 * h01;
    const newton = clamp((c * gradient0 - h01 * gradient1) / determinant, -1, 1);
    const step = newton * this.#pace(source, newton);
    this.#steps[source] = step;
    this.intercept[source] = intercept + step;
    this.slope[source] = clamp(
      slope + clamp((a * gradient1 - h01 * gradient0) / determinant, -0.5, 0.5),
      0,
      2,
    );
    return Math.abs(step);
  }

  /** The share of a Newton step that is taken: halved when a step turns back, else raised by a quarter. */
  #pace(source: number, newton: number): number {
    if (!this.isDamped) return 1;
    const isBack = newton * (this.#steps[source] ?? 0) < 0;
    const pace = Math.min(1, (this.#paces[source] ?? 1) * (isBack ? 0.5 : 1.25));
    this.#paces[source] = pace;
    return pace;
  }

  /** Damped, because the same claims move the intercept in the same round. */
  #updateCell(cell: number): void {
    const offset = this.offset[cell] ?? 0;
    const gradient = (this.#cellSums[cell * 2] ?? 0) - offset / ATTRIBUTE_SPREAD ** 2;
    const curvature = (this.#cellSums[cell * 2 + 1] ?? 0) + 1 / ATTRIBUTE_SPREAD ** 2;
    this.offset[cell] = offset + clamp((0.7 * gradient) / curvature, -1, 1);
  }

  /** Means over sources, each weighted by how much its claims rather than its prior determined it. */
  #updateMeans(): void {
    let weights = INITIAL_ACCURACY_WEIGHT;
    let intercepts = INITIAL_ACCURACY_WEIGHT * logit(INITIAL_ACCURACY);
    let slopeWeights = INITIAL_ACCURACY_WEIGHT;
    let slopes = INITIAL_ACCURACY_WEIGHT * INITIAL_SLOPE;
    for (let source = 0; source < this.intercept.length; source += 1) {
      const h00 = this.#sums[source * SUMS + 2] ?? 0;
      const h01 = this.#sums[source * SUMS + 3] ?? 0;
      const h11 = (this.#sums[source * SUMS + 4] ?? 0) - (h00 === 0 ? 0 : (h01 * h01) / h00);
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
