import { HELD_OUT_COPYING } from './constants.js';
import type { Dependence } from './Dependence.js';
import type { FactSpan } from './FactSmoother.js';
import type { TruthEstimator } from './TruthEstimator.js';

/** Estimates a fact without some of its claims and the claims of sources that depend on theirs. */
export class LeaveOut {
  readonly #dependents: Dependence;
  /** Per value: whether a remaining claim is of it. */
  isClaimed = new Uint8Array(0);

  /** `dependents`: which sources are left out together, whatever the estimator's dependence model. */
  constructor(
    readonly estimator: TruthEstimator,
    dependents: Dependence,
  ) {
    this.#dependents = dependents;
  }

  depend(span: FactSpan, a: number, b: number): boolean {
    const { sourceOf } = this.estimator.data;
    const copying = this.#dependents.copying(sourceOf[span.start + a] ?? 0, sourceOf[span.start + b] ?? 0);
    return copying > HELD_OUT_COPYING;
  }

  /** Smooths the fact last prepared with the remaining claims. Returns false if fewer than two remain. */
  judge(fact: number, span: FactSpan, claims: readonly number[]): boolean {
    const { data, smoother, logOdds, copied, hardShare } = this.estimator;
    const isLeftOut = new Uint8Array(span.size);
    this.isClaimed = new Uint8Array(span.groups);
    let left = 0;
    for (let other = 0; other < span.size; other += 1) {
      if (claims.some((claim) => claim === other || this.depend(span, claim, other))) {
        isLeftOut[other] = 1;
      } else {
        this.isClaimed[data.groupOf[span.start + other] ?? 0] = 1;
        left += 1;
      }
    }
    if (left < 2) return false;
    this.estimator.leaveOut(fact, isLeftOut);
    smoother.smooth(span, logOdds, copied, hardShare);
    return true;
  }

  /** The two most probable values when a claim was made; the second is -1 if only one is claimed. */
  ranked(span: FactSpan, claim: number): [number, number] {
    let [winner, runnerUp] = [-1, -1];
    let [most, next] = [-1, -1];
    for (let group = 0; group < span.groups; group += 1) {
      if (this.isClaimed[group] === 0) continue;
      const probability = this.estimator.smoother.state(claim, group);
      if (probability > most) {
        [runnerUp, next] = [winner, most];
        [winner, most] = [group, probability];
      } else if (probability > next) {
        [runnerUp, next] = [group, probability];
      }
    }
    return [winner, runnerUp];
  }
}
