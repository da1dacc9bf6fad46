import { INITIAL_ACCURACY, INITIAL_FALSE_AGREEMENT } from './constants.js';
import { clamp } from './logOdds.js';
import type { PairTable } from './PairTable.js';

const SWEEPS = 25;

/** Assumed variance of one agreement, the same for all pairs: agreement rates are near neither 0 nor 1. */
const VARIANCE = 0.2;

/** Prior weight of the initial accuracy, in facts. */
const PRIOR_FACTS = 5;

const [LEAST, MOST] = [0.05, 0.98];

/**
 * Fits source accuracies to the agreement rates of pairs of sources, a ≈ p·p′ + q·(1 − p)·(1 − p′), before
 * any claim is judged. Each pair is weighted by the inverse of its residual (nearly least absolute
 * deviations), so that copiers, which agree for another reason, do not bias the accuracies of the others.
 */
export class AgreementFit {
  readonly #pairs: PairTable;
  readonly accuracies: Float64Array;

  constructor(pairs: PairTable, sources: number) {
    this.#pairs = pairs;
    this.accuracies = new Float64Array(sources).fill(INITIAL_ACCURACY);
  }

  /** Yields between sweeps. */
  *fit(): Generator<undefined, void, undefined> {
    for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
      this.#sweep();
      yield undefined;
    }
  }

  /** Expected agreement rate of two independent sources. */
  expected(a: number, b: number): number {
    const [p, q] = [this.accuracies[a] ?? 0, this.accuracies[b] ?? 0];
    return p * q + INITIAL_FALSE_AGREEMENT * (1 - p) * (1 - q);
  }

  #sweep(): void {
    const numerators = new Float64Array(this.accuracies.length);
    const denominators = new Float64Array(this.accuracies.length);
    for (let row = 0; row < this.#pairs.rows; row += 1) {
      const [a, b] = [this.#pairs.first(row), this.#pairs.second(row)];
      const facts = this.#pairs.facts(row);
      const rate = this.#pairs.agreements(row) / facts;
      const weight = facts / Math.max(Math.sqrt(VARIANCE / facts), Math.abs(rate - this.expected(a, b)));
      for (const [own, other] of [
        [a, b],
        [b, a],
      ] as const) {
        const known = this.accuracies[other] ?? 0;
        const chance = INITIAL_FALSE_AGREEMENT * (1 - known);
        const slope = known - chance;
        numerators[own] = (numerators[own] ?? 0) + weight * slope * (rate - chance);
        denominators[own] = (denominators[own] ?? 0) + weight * slope * slope;
      }
    }
    const prior = PRIOR_FACTS / VARIANCE;
    for (let source = 0; source < this.accuracies.length; source += 1) {
      const fitted =
        ((numerators[source] ?? 0) + prior * INITIAL_ACCURACY) / ((denominators[source] ?? 0) + prior);
      this.accuracies[source] = clamp(0.5 * (this.accuracies[source] ?? 0) + 0.5 * fitted, LEAST, MOST);
    }
  }
}
