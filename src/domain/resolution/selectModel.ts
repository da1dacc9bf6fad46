import type { LearningData } from './ClaimTable.js';
import { MAX_SELECTION_CLAIMS } from './constants.js';
import { INDEPENDENT } from './Dependence.js';
import type { Dependence } from './Dependence.js';
import { factsToHoldOut, HeldOut } from './HeldOut.js';
import { TruthEstimator } from './TruthEstimator.js';
import type { ChosenModel, ModelScore } from './types.js';

/** Standard errors by which a model must predict better than the simpler one to be chosen. */
const MIN_DEVIATIONS = 3;

export interface Selection {
  dependence: Dependence;
  model: ChosenModel;
  evidence: ModelScore[];
  heldOut: number;
  /** The models were compared on the first so many facts. */
  sample: number;
  /** What was learned with the chosen model, if it was learned from all facts. */
  estimator: TruthEstimator | undefined;
}

interface Candidate {
  dependence: Dependence;
  byAttribute: boolean;
  estimator: TruthEstimator;
  /** Log-probability of each held-out claim. */
  scores: Float64Array;
}

/** Facts, out of the first, with about as many claims as models are compared on. */
function factsToCompareOn({ starts }: LearningData): number {
  const last = starts.length - 1;
  if ((starts[last] ?? 0) <= MAX_SELECTION_CLAIMS) return last;
  return Math.max(1, starts.findIndex((start) => start > MAX_SELECTION_CLAIMS) - 1);
}

function mean(numbers: Float64Array): number {
  return numbers.length === 0 ? 0 : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/** Whether one predicts the same claims better by more than chance may give. */
function isBetter(challenger: Candidate, champion: Candidate): boolean {
  const differences = challenger.scores.map((score, index) => score - (champion.scores[index] ?? 0));
  const gain = mean(differences);
  const variance = mean(differences.map((difference) => (difference - gain) ** 2));
  return gain > MIN_DEVIATIONS * Math.sqrt(variance / Math.max(1, differences.length));
}

/**
 * Chooses on the data itself, without any truth: each model learns, and predicts claims from those of the
 * other sources of the same fact. `pairs` (who is suspected of copying whom) are left out together, whichever
 * model predicts. A model with more to it must predict better.
 */
export function* selectModel(
  data: LearningData,
  accuracies: Float64Array,
  pairs: Dependence,
  groups: readonly Dependence[],
  factsPerStep: number,
): Generator<undefined, Selection, undefined> {
  const facts = factsToCompareOn(data);
  const heldOutFacts = factsToHoldOut(data, facts);
  const candidates: Candidate[] = [];
  const tryOut = function* (
    dependence: Dependence,
    byAttribute: boolean,
  ): Generator<undefined, Candidate, undefined> {
    const estimator = new TruthEstimator({ data, facts, dependence, byAttribute, accuracies });
    yield* estimator.fit(factsPerStep);
    const scores = yield* scoresOf(estimator, pairs, heldOutFacts);
    const candidate = { dependence, byAttribute, estimator, scores };
    candidates.push(candidate);
    return candidate;
  };
  const first = yield* tryOut(INDEPENDENT, false);
  let best = first;
  for (const dependence of groups) {
    const next = yield* tryOut(dependence, false);
    if (isBetter(next, best)) best = next;
  }
  if (data.attributes.length > 1) {
    const next = yield* tryOut(best.dependence, true);
    if (isBetter(next, best)) best = next;
  }
  const { dependence, byAttribute, estimator } = best;
  const gain = mean(best.scores) - mean(first.scores);
  return {
    dependence,
    model: { dependence: dependence.model, byAttribute, gain },
    evidence: candidates.map(({ dependence: { model }, byAttribute, scores }) => {
      return { dependence: model, byAttribute, score: mean(scores) };
    }),
    heldOut: first.scores.length,
    sample: facts,
    estimator: facts === data.starts.length - 1 ? estimator : undefined,
  };
}

function* scoresOf(
  estimator: TruthEstimator,
  pairs: Dependence,
  facts: readonly number[],
): Generator<undefined, Float64Array, undefined> {
  const heldOut = new HeldOut(estimator, pairs);
  const scores: number[] = [];
  for (const [index, fact] of facts.entries()) {
    for (const { score } of heldOut.claims(fact)) scores.push(score);
    if (index % 100 === 99) yield undefined;
  }
  return Float64Array.from(scores);
}
