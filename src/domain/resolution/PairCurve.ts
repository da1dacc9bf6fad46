import { groupBy } from '../groupBy.js';
import { BINS, clampProbability } from './calibrationBins.js';
import type { CommonOrigin } from './commonOrigin.js';
import { FULL_RIVAL_ERRORS, POOLED_PAIR_FACTS, PRIOR_PAIR_FACTS, SINGLE_CLAIM_FACTS } from './constants.js';
import type { DoubtCurve } from './DoubtCurve.js';
import { fitPairs } from './fitPairs.js';
import type { PairFit } from './fitPairs.js';
import type { HeldOutPair } from './HeldOutPairs.js';
import type { LearnedCurve } from './LearnedCurve.js';
import { rising } from './rising.js';
import type { CalibrationPoint } from './types.js';

/**
 * Probability that the winner is an error common to all sources, which pairs cannot detect: that both claims
 * are wrong, scaled by how far errors coincide and how far sources have a common origin.
 */
function commonError({ reliability, rivalErrors }: PairFit, origin: number): number {
  return (1 - reliability) ** 2 * Math.min(1, (rivalErrors / FULL_RIVAL_ERRORS) ** 2) * origin;
}

function* fitBin(pairs: readonly HeldOutPair[]): Generator<undefined, PairFit, undefined> {
  const facts = pairs.reduce((sum, { weight }) => sum + weight, 0);
  const mean = (value: 'winner' | 'runnerUp'): number =>
    pairs.reduce((sum, pair) => sum + pair.weight * pair[value], 0) / facts;
  return yield* fitPairs(pairs, [mean('winner'), mean('runnerUp')], PRIOR_PAIR_FACTS);
}

/**
 * Learns the calibration of contested facts without ground truth: from pairs of held-out claims where there
 * are many, from single held-out claims where there are few.
 */
export class PairCurve implements LearnedCurve {
  readonly #doubt: DoubtCurve;
  readonly #commonOrigin: CommonOrigin;
  readonly #pairs: HeldOutPair[][] = BINS.map(() => []);
  /** Fits per bin, over all attributes and per attribute; a bin without pairs has none. */
  #pooled: (PairFit | undefined)[] = [];
  readonly #byAttribute = new Map<number, (PairFit | undefined)[]>();

  constructor(doubt: DoubtCurve, commonOrigin: CommonOrigin) {
    this.#doubt = doubt;
    this.#commonOrigin = commonOrigin;
  }

  add(pair: HeldOutPair): void {
    this.#pairs[pair.bin]?.push(pair);
  }

  /** Fits all pairs added; yields between steps. */
  *fit(): Generator<undefined, void, undefined> {
    for (const [bin, pairs] of this.#pairs.entries()) {
      this.#pooled[bin] = pairs.length === 0 ? undefined : yield* fitBin(pairs);
    }
    for (const [bin, pairs] of this.#pairs.entries()) {
      const pooled = this.#pooled[bin];
      if (pooled === undefined) continue;
      for (const [attribute, own] of groupBy(pairs, ({ attribute }) => attribute)) {
        const fits = this.#byAttribute.get(attribute) ?? BINS.map(() => undefined);
        fits[bin] = yield* fitPairs(own, [pooled.winner, pooled.runnerUp], POOLED_PAIR_FACTS);
        this.#byAttribute.set(attribute, fits);
      }
    }
  }

  overall(): CalibrationPoint[] {
    return this.#curve(this.#doubt.overall(), [], this.#commonOrigin.overall);
  }

  /** Curve of an attribute, shrunk towards the overall curve; undefined if no claim was held out. */
  of(attribute: number): CalibrationPoint[] | undefined {
    const doubt = this.#doubt.of(attribute);
    if (doubt === undefined) return undefined;
    const { overall, byAttribute } = this.#commonOrigin;
    return this.#curve(doubt, this.#byAttribute.get(attribute) ?? [], byAttribute.get(attribute) ?? overall);
  }

  #curve(
    doubt: readonly CalibrationPoint[],
    own: readonly (PairFit | undefined)[],
    origin: number,
  ): CalibrationPoint[] {
    const weights: number[] = [];
    const confidences = doubt.map(({ confidence }, bin) => {
      const pooled = this.#pooled[bin];
      const fit = own[bin] ?? pooled;
      weights.push(1 + (own.length > 0 ? (own[bin]?.facts ?? 0) : (pooled?.facts ?? 0)));
      if (fit === undefined || pooled === undefined) return confidence;
      const borneOut = fit.winner * (1 - commonError(fit, origin));
      const share = pooled.facts / (pooled.facts + SINGLE_CLAIM_FACTS);
      return share * borneOut + (1 - share) * confidence;
    });
    return rising(confidences, weights).map((confidence, bin) => {
      return { posterior: doubt[bin]?.posterior ?? 0, confidence: clampProbability(confidence) };
    });
  }
}
