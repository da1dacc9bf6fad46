import { OTHER, RUNNER_UP, WINNER } from './HeldOutPairs.js';
import type { HeldOutPair, Said } from './HeldOutPairs.js';
import { clamp, logistic } from './logOdds.js';

/** Fit of the held-out pairs of one bin. */
export interface PairFit {
  /** Number of facts with pairs. */
  facts: number;
  /** Probability that the winner is true, and that the runner-up is. */
  winner: number;
  runnerUp: number;
  /** Mean probability that a claim is right. */
  reliability: number;
  /** Probability that a wrong claim is of the winner or the runner-up. */
  rivalErrors: number;
}

const ROUNDS = 60;
const MIN_ROUNDS = 11;
const CONVERGED = 1e-5;

/** Bounds of the shift and of one step: where sources are nearly always right, the curvature is nearly 0. */
const MAX_SHIFT = 10;
const MAX_STEP = 1;

/** Initial values. They are also priors, each with the weight of one error. */
const INITIAL_RIVAL_ERRORS = 0.3;
const INITIAL_SAME_ERRORS = 0.1;

interface Parameters {
  /** Probability that the winner, the runner-up and another value is true. */
  truth: [number, number, number];
  /** Shift of all sources' log-odds of being right. */
  shift: number;
  rivalErrors: number;
  /** Probability that two wrong claims agree, if neither is of the winner or the runner-up. */
  sameErrors: number;
}

/** Probability of what a claim says, given which value is true. */
function likelihood(truth: Said, says: Said, right: number, { rivalErrors }: Parameters): number {
  const wrong = 1 - right;
  if (truth === OTHER) {
    return says === OTHER ? right + wrong * (1 - rivalErrors) : (wrong * rivalErrors) / 2;
  }
  if (says === truth) return right;
  return wrong * (says === OTHER ? 1 - rivalErrors : rivalErrors);
}

/** Probability of both claims: independent, except that two wrong `OTHER`s agree at the rate `sameErrors`. */
function jointLikelihood(truth: Said, pair: HeldOutPair, p: number, q: number, at: Parameters): number {
  if (pair.first !== OTHER || pair.second !== OTHER) {
    return likelihood(truth, pair.first, p, at) * likelihood(truth, pair.second, q, at);
  }
  const agreement = pair.isSame ? at.sameErrors : 1 - at.sameErrors;
  const bothWrong = (1 - p) * (1 - q) * (1 - at.rivalErrors) ** 2 * agreement;
  if (truth !== OTHER) return bothWrong;
  const right = pair.isSame ? p * q : (p * (1 - q) + q * (1 - p)) * (1 - at.rivalErrors);
  return bothWrong + right;
}

/** Expected sums of one round (E step). */
class Expectations {
  readonly truth: [number, number, number] = [0, 0, 0];
  reliability = 0;
  #rivalErrors = INITIAL_RIVAL_ERRORS;
  #errors = 1;
  #sameErrors = INITIAL_SAME_ERRORS;
  #otherErrors = 1;
  #gradient = 0;
  #curvature = 1;

  add(pair: HeldOutPair, at: Parameters): void {
    const p = logistic(pair.logOdds[0] + at.shift);
    const q = logistic(pair.logOdds[1] + at.shift);
    const winner = at.truth[WINNER] * jointLikelihood(WINNER, pair, p, q, at);
    const runnerUp = at.truth[RUNNER_UP] * jointLikelihood(RUNNER_UP, pair, p, q, at);
    const other = at.truth[OTHER] * jointLikelihood(OTHER, pair, p, q, at);
    const scale = pair.weight / (winner + runnerUp + other);
    this.truth[WINNER] += winner * scale;
    this.truth[RUNNER_UP] += runnerUp * scale;
    this.truth[OTHER] += other * scale;
    this.reliability += (pair.weight * (p + q)) / 2;
    const ofRival = (winner + runnerUp) * scale;
    this.#gradient -= ofRival * (p + q);
    this.#curvature += ofRival * (p * (1 - p) + q * (1 - q));
    for (const says of [pair.first, pair.second]) {
      if (says === OTHER) {
        this.#errors += ofRival;
        continue;
      }
      const right = (says === WINNER ? winner : runnerUp) * scale;
      this.#gradient += right;
      this.#rivalErrors += ofRival - right;
      this.#errors += ofRival - right;
    }
    if (pair.first !== OTHER || pair.second !== OTHER) return;
    this.#otherErrors += ofRival;
    if (pair.isSame) this.#sameErrors += ofRival;
  }

  /** The next parameters (M step); `prior` has the weight of `priorFacts` facts. */
  update(at: Parameters, prior: readonly [number, number], priorFacts: number, facts: number): Parameters {
    const winner = (this.truth[WINNER] + priorFacts * prior[0]) / (facts + priorFacts);
    const runnerUp = (this.truth[RUNNER_UP] + priorFacts * prior[1]) / (facts + priorFacts);
    const step = (this.#gradient - at.shift) / this.#curvature;
    return {
      truth: [winner, runnerUp, Math.max(1e-9, 1 - winner - runnerUp)],
      shift: clamp(at.shift + clamp(step, -MAX_STEP, MAX_STEP), -MAX_SHIFT, MAX_SHIFT),
      rivalErrors: this.#rivalErrors / this.#errors,
      sameErrors: this.#sameErrors / this.#otherErrors,
    };
  }
}

/**
 * Expectation maximisation over which value is true, for the pairs of one bin. If the runner-up is a popular
 * error, two independent claims of it coincide only by chance; if it is true, they coincide more often. Also
 * fits one shift of all reliabilities, and how errors coincide. Yields between rounds.
 *
 * @param prior probabilities that the winner and the runner-up are true, with the weight of `priorFacts`
 * facts
 */
export function* fitPairs(
  pairs: readonly HeldOutPair[],
  prior: readonly [number, number],
  priorFacts: number,
): Generator<undefined, PairFit, undefined> {
  const facts = pairs.reduce((sum, { weight }) => sum + weight, 0);
  let at: Parameters = {
    truth: [prior[0], prior[1], Math.max(1e-9, 1 - prior[0] - prior[1])],
    shift: 0,
    rivalErrors: INITIAL_RIVAL_ERRORS,
    sameErrors: INITIAL_SAME_ERRORS,
  };
  let reliability = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const expected = new Expectations();
    for (const pair of pairs) expected.add(pair, at);
    const next = expected.update(at, prior, priorFacts, facts);
    const change = Math.abs(next.truth[WINNER] - at.truth[WINNER]);
    at = next;
    reliability = expected.reliability / facts;
    yield undefined;
    if (round >= MIN_ROUNDS && change < CONVERGED) break;
  }
  const { truth, rivalErrors } = at;
  return { facts, winner: truth[WINNER], runnerUp: truth[RUNNER_UP], reliability, rivalErrors };
}
