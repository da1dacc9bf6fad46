import { binOf } from './calibrationBins.js';
import { claimReliability } from './claimLogOdds.js';
import { MAX_HELD_OUT_PAIRS, RELIABILITY_MARGIN } from './constants.js';
import type { Dependence } from './Dependence.js';
import type { FactSpan } from './FactSmoother.js';
import { LeaveOut } from './LeaveOut.js';
import { clamp, logit } from './logOdds.js';
import type { TruthEstimator } from './TruthEstimator.js';

/** The most probable value by the other claims, the second most probable one, or any other value. */
export const [WINNER, RUNNER_UP, OTHER] = [0, 1, 2] as const;
export type Said = 0 | 1 | 2;

/** Two claims of independent sources, and what all other claims on their fact predict. */
export interface HeldOutPair {
  attribute: number;
  /** Calibration bin of the winner's posterior. */
  bin: number;
  /** Posteriors of the two most probable values, by the other claims. */
  winner: number;
  runnerUp: number;
  /** Values of the two claims. */
  first: Said;
  second: Said;
  isSame: boolean;
  /** Log-odds that the first and the second claim are right. */
  logOdds: readonly [number, number];
  /** The weights of one fact's pairs sum to 1. */
  weight: number;
}

/** Least number of claims of a fact to hold out pairs: two claims must remain. */
const MIN_CLAIMS = 4;

/** Predicts pairs of claims jointly from all other claims on their fact. */
export class HeldOutPairs {
  readonly #others: LeaveOut;

  constructor(estimator: TruthEstimator, dependents: Dependence) {
    this.#others = new LeaveOut(estimator, dependents);
  }

  /** Evenly spaced sample of a fact's pairs, without those where the others claim only one value. */
  of(fact: number): HeldOutPair[] {
    const { estimator } = this.#others;
    const span = estimator.span(fact);
    if (span.size < MIN_CLAIMS) return [];
    estimator.prepare(fact);
    const all: [number, number][] = [];
    for (let a = 0; a < span.size; a += 1) {
      for (let b = a + 1; b < span.size; b += 1) if (!this.#others.depend(span, a, b)) all.push([a, b]);
    }
    const step = Math.max(1, all.length / MAX_HELD_OUT_PAIRS);
    const pairs: HeldOutPair[] = [];
    for (let at = 0; at < all.length; at += step) {
      const pair = this.#predict(fact, span, all[Math.floor(at)] ?? [0, 1]);
      if (pair !== undefined) pairs.push(pair);
    }
    for (const pair of pairs) pair.weight = 1 / pairs.length;
    return pairs;
  }

  #predict(fact: number, span: FactSpan, [a, b]: [number, number]): HeldOutPair | undefined {
    const others = this.#others;
    const { data, smoother } = others.estimator;
    if (!others.judge(fact, span, [a, b])) return undefined;
    const [winner, runnerUp] = others.ranked(span, a);
    if (runnerUp < 0) return undefined;
    const groups = [a, b].map((claim) => data.groupOf[span.start + claim] ?? 0);
    const said = (group: number | undefined): Said =>
      group === winner ? WINNER : group === runnerUp ? RUNNER_UP : OTHER;
    const posterior = smoother.state(a, winner);
    return {
      attribute: data.attributeOf[fact] ?? 0,
      bin: binOf(posterior),
      winner: posterior,
      runnerUp: smoother.state(a, runnerUp),
      first: said(groups[0]),
      second: said(groups[1]),
      isSame: groups[0] === groups[1],
      logOdds: [this.#logOdds(span, a), this.#logOdds(span, b)],
      weight: 1,
    };
  }

  /** Log-odds that a claim is right; reliability is averaged over the posterior of easy and hard facts. */
  #logOdds(span: FactSpan, claim: number): number {
    const { smoother, logOdds } = this.#others.estimator;
    const reliability = claimReliability(logOdds[claim] ?? 0, smoother.weight(1), span.domain);
    return logit(clamp(reliability, RELIABILITY_MARGIN, 1 - RELIABILITY_MARGIN));
  }
}
