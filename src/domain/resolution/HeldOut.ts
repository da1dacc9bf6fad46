import { MAX_COMPARED_CLAIMS, MAX_HELD_OUT_CLAIMS, MAX_HELD_OUT_FACTS } from './constants.js';
import type { LearningData } from './LearningData.js';
import type { Dependence } from './Dependence.js';
import { LeaveOut } from './LeaveOut.js';
import { reliabilityIn, SHIFTS } from './reliabilityIn.js';
import type { FactSpan } from './FactSmoother.js';
import type { TruthEstimator } from './TruthEstimator.js';

/** A held-out claim, and what the other claims on its fact predict. */
export interface HeldOutClaim {
  attribute: number;
  /** The most probable value by the other claims at the time of this one, and its posterior. */
  winningGroup: number;
  winner: number;
  /** Whether it claims that value, the second most probable one, or another. */
  says: 'winner' | 'runnerUp' | 'other';
  /** Predicted probabilities that it claims the winner and the runner-up. */
  expectedWinner: number;
  expectedRunnerUp: number;
  /** Predicted probability that the winner is true and the claim names the runner-up by mistake. */
  expectedMistake: number;
  /** Probability that the source is right. */
  reliability: number;
  /** Log-probability of the claimed value. All values that the others do not claim count as one. */
  score: number;
}

/**
 * Evenly spaced sample of the first `count` facts, of those with 3 to `MAX_COMPARED_CLAIMS` claims and at
 * least `values` distinct values: 1 for all facts, 2 for contested ones.
 */
export function factsToHoldOut(data: LearningData, count: number, values: 1 | 2): number[] {
  const facts: number[] = [];
  for (let fact = 0; fact < count; fact += 1) {
    const size = (data.starts[fact + 1] ?? 0) - (data.starts[fact] ?? 0);
    if (size >= 3 && size <= MAX_COMPARED_CLAIMS && (data.groupsOf[fact] ?? 0) >= values) facts.push(fact);
  }
  if (facts.length <= MAX_HELD_OUT_FACTS) return facts;
  const step = facts.length / MAX_HELD_OUT_FACTS;
  return Array.from({ length: MAX_HELD_OUT_FACTS }, (_, index) => facts[Math.floor(index * step)] ?? 0);
}

/** Predicts each claim from the others on its fact, without sources that depend on the claim's source. */
export class HeldOut {
  readonly #estimator: TruthEstimator;
  readonly #others: LeaveOut;
  #probabilities = new Float64Array(0);

  /** `dependents`: which sources are left out together, whatever the estimator's dependence model. */
  constructor(estimator: TruthEstimator, dependents: Dependence) {
    this.#estimator = estimator;
    this.#others = new LeaveOut(estimator, dependents);
  }

  /** Holds out the claims of a fact in turn; an even sample of them above `MAX_HELD_OUT_CLAIMS`. */
  *claims(fact: number): Generator<HeldOutClaim, void, undefined> {
    const span = this.#estimator.span(fact);
    const step = Math.max(1, span.size / MAX_HELD_OUT_CLAIMS);
    this.#estimator.prepare(fact);
    for (let at = 0; at < span.size; at += step) {
      const claim = Math.floor(at);
      if (!this.#others.judge(fact, span, [claim])) continue;
      yield this.#describe(span, claim, this.#estimator.data.attributeOf[fact] ?? 0);
    }
  }

  #describe(span: FactSpan, claim: number, attribute: number): HeldOutClaim {
    const { data, smoother } = this.#estimator;
    const [winner, runnerUp] = this.#others.ranked(span, claim);
    const logOdds = this.#estimator.logOdds[claim] ?? 0;
    const said = data.groupOf[span.start + claim] ?? 0;
    this.#probabilities = new Float64Array(span.groups);
    let [reliability, expectedMistake, claimed] = [0, 0, 0];
    for (let kind = 0; kind < SHIFTS.length; kind += 1) {
      const weight = smoother.weight(kind);
      const right = reliabilityIn(kind, logOdds, span.domain);
      reliability += weight * right;
      const isWinner = smoother.stateIn(kind, claim, winner);
      expectedMistake += weight * isWinner * (1 - right) * smoother.miss(kind, Math.max(0, runnerUp), winner);
      for (let group = 0; group < span.groups; group += 1) {
        if (this.#others.isClaimed[group] === 0) continue;
        const state = smoother.stateIn(kind, claim, group);
        const wrong = (1 - right) * smoother.missIn(kind, claim, group);
        const probability = weight * (state * right + wrong);
        this.#probabilities[group] = (this.#probabilities[group] ?? 0) + probability;
        claimed += probability;
      }
    }
    const isNew = this.#others.isClaimed[said] === 0;
    return {
      attribute,
      winningGroup: winner,
      winner: smoother.state(claim, winner),
      says: said === winner ? 'winner' : said === runnerUp ? 'runnerUp' : 'other',
      expectedWinner: this.#probabilities[winner] ?? 0,
      expectedRunnerUp: runnerUp < 0 ? 0 : (this.#probabilities[runnerUp] ?? 0),
      expectedMistake,
      reliability,
      score: Math.log(Math.max(1e-6, isNew ? 1 - claimed : (this.#probabilities[said] ?? 0))),
    };
  }
}
