import { binOf, BINS, middleOf, within } from './calibrationBins.js';
import { POOLED_PAIR_FACTS, PRIOR_PAIR_FACTS } from './constants.js';
import type { LearnedCurve } from './LearnedCurve.js';
import { rising } from './rising.js';
import type { CalibrationPoint } from './types.js';

/** Facts whose winners have about the same posterior. */
interface Bin {
  facts: number;
  /** Sums over them: of that posterior, and of what is believed instead. */
  posterior: number;
  believed: number;
}

/** What is believed in a bin, on average. */
interface Mean {
  facts: number;
  posterior: number;
  believed: number;
}

function empty(): Bin[] {
  return BINS.map(() => ({ facts: 0, posterior: 0, believed: 0 }));
}

function pointsOf(means: readonly Mean[]): CalibrationPoint[] {
  const confidences = rising(
    means.map(({ believed }) => believed),
    means.map(({ facts }) => facts + 1),
  );
  return means.map(({ posterior }, bin) => {
    return { posterior: within(posterior), confidence: within(confidences[bin] ?? 0) };
  });
}

/**
 * How far the winners of one model may be believed, by what another model, calibrated, believes of the same
 * values: winners from the model that predicts best, confidence from one that doubts more.
 */
export class BorrowedCurve implements LearnedCurve {
  readonly #pooled = empty();
  readonly #byAttribute = new Map<number, Bin[]>();

  /** A fact with a winner of this posterior, of which the other model believes so much. */
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
    const means = own.map(({ facts, believed }, bin): Mean => {
      const all = pooled[bin] ?? { facts: 0, posterior: middleOf(bin), believed: middleOf(bin) };
      const mean = (believed + POOLED_PAIR_FACTS * all.believed) / (facts + POOLED_PAIR_FACTS);
      return { facts, posterior: all.posterior, believed: mean };
    });
    return pointsOf(means);
  }

  /** Over all attributes; the posterior itself counts for some facts. */
  #means(): Mean[] {
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
