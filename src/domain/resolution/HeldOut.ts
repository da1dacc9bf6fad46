import { MAX_COMPARED_CLAIMS, MAX_HELD_OUT_CLAIMS, MAX_HELD_OUT_FACTS } from './constants.js';
import type { LearningData } from './ClaimTable.js';
import type { Dependence } from './Dependence.js';
import { LeaveOut } from './LeaveOut.js';
import { reliabilityIn, SHIFTS } from './reliabilityIn.js';
import type { FactSpan } from './FactSmoother.js';
import type { TruthEstimator } from './TruthEstimator.js';

/** The others' claims on a fact, and what they say of the one that was held out. */
export interface HeldOutClaim {
  attribute: number;
  /** The value that the others believe most, at the time of the claim, and its posterior. */
  winningGroup: number;
  winner: number;
  /** Whether the claim is of that value, of the one that the others believe next, or of another. */
  says: 'winner' | 'runnerUp' | 'other';
  /** Probabilities with which the claim was expected to be of the winner and of the runner-up. */
  expectedWinner: number;
  expectedRunnerUp: number;
  /** Expected probability of the claim being of the runner-up by mistake, the winner being true. */
  expectedMistake: number;
  /** Probability that the source is right. */
  reliability: number;
  /** Log-probability of what the claim says; one value stands for all that the others do not claim. */
  score: number;
}

/**
 * Facts of at least three claims, and not of too many: a sample, evenly out of the first `count`. `values`:
 * the fewest that are claimed of one; 1 is all facts as they are, 2 the contested ones.
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

/**
 * Predicts claims from what all others say of the same fact, leaving out the sources that depend on the
 * claim's own.
 */
export class HeldOut {
  readonly #estimator: TruthEstimator;
  readonly #others: LeaveOut;
  #probabilities = new Float64Array(0);

  /** `dependents`: who is left out together, whatever the estimator believes of it. */
  constructor(estimator: TruthEstimator, dependents: Dependence) {
    this.#estimator = estimator;
    this.#others = new LeaveOut(estimator, dependents);
  }

  /** The claims of a fact in turn. */
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
      const mistake = (1 - right) / (span.domain - 1);
      reliability += weight * right;
      expectedMistake += weight * smoother.stateIn(kind, claim, winner) * mistake;
      for (let group = 0; group < span.groups; group += 1) {
        if (this.#others.isClaimed[group] === 0) continue;
        const state = smoother.stateIn(kind, claim, group);
        const probability = weight * (state * right + (1 - state) * mistake);
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
