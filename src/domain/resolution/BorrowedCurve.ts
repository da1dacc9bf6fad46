import { binOf, BINS, clampProbability, middleOf } from './calibrationBins.js';
import { POOLED_PAIR_FACTS, PRIOR_PAIR_FACTS } from './constants.js';
import type { LearnedCurve } from './LearnedCurve.js';
import { rising } from './rising.js';
import type { CalibrationPoint } from './types.js';

/** Sums, or means, over the facts of one calibration bin. */
interface Bin {
  facts: number;
  /** The winners' posteriors, and the other model's calibrated confidences in the winners. */
  posterior: number;
  believed: number;
}

function empty(): Bin[] {
  return BINS.map(() => ({ facts: 0, posterior: 0, believed: 0 }));
}

function pointsOf(means: readonly Bin[]): CalibrationPoint[] {
  const confidences = rising(
    means.map(({ believed }) => believed),
    means.map(({ facts }) => facts + 1),
  );
  return means.map(({ posterior }, bin) => {
    return { posterior: clampProbability(posterior), confidence: clampProbability(confidences[bin] ?? 0) };
  });
}

/**
 * Calibration curve of one model, learned from the calibrated confidences of another in the same values. The
 * first model predicts best and picks the winners; the second is more cautious and gives the confidence.
 */
export class BorrowedCurve implements LearnedCurve {
  readonly #pooled = empty();
  readonly #byAttribute = new Map<number, Bin[]>();

  /** Adds a fact: the posterior of its winner, and the other model's calibrated confidence in that value. */
  add(attribute: number, posterior: number, believed: number): void {
    const own = this.#byAttribute.get(attribute) ?? empty();
    this.#byAttribute.set(attribute, own);
    for (const bins of [this.#pooled, own]) {
      const bin = bins[binOf(posterior)];
      if (bin === undefined) continue;
      bin.facts += 1;
      bin.posterior += posterior;
      bin.believed += believed;
    }
  }

  overall(): CalibrationPoint[] {
    return pointsOf(this.#means());
  }

  of(attribute: number): CalibrationPoint[] | undefined {
    const own = this.#byAttribute.get(attribute);
    if (own === undefined) return undefined;
    const pooled = this.#means();
    const means = own.map(({ facts, believed }, bin): Bin => {
      const all = pooled[bin] ?? { facts: 0, posterior: middleOf(bin), believed: middleOf(bin) };
      const mean = (believed + POOLED_PAIR_FACTS * all.believed) / (facts + POOLED_PAIR_FACTS);
      return { facts, posterior: all.posterior, believed: mean };
    });
    return pointsOf(means);
  }

  /** Over all attributes, shrunk towards the posterior, which weighs as much as `PRIOR_PAIR_FACTS` facts. */
  #means(): Bin[] {
    return this.#pooled.map(({ facts, posterior, believed }, bin) => {
      const mean = facts === 0 ? middleOf(bin) : posterior / facts;
      return {
        facts,
        posterior: mean,
        believed: (believed + PRIOR_PAIR_FACTS * mean) / (facts + PRIOR_PAIR_FACTS),
      };
    });
  }
}
