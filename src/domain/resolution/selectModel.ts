import type { LearningData } from './ClaimTable.js';
import { MAX_SELECTION_CLAIMS } from './constants.js';
import { INDEPENDENT } from './Dependence.js';
import type { Dependence } from './Dependence.js';
import { factsToHoldOut, HeldOut } from './HeldOut.js';
import { mean, predictsBetter } from './predictsBetter.js';
import type { Predictions } from './predictsBetter.js';
import { TruthEstimator } from './TruthEstimator.js';
import type { ChosenModel, ModelScore } from './types.js';

export interface Selection {
  dependence: Dependence;
  model: ChosenModel;
  evidence: ModelScore[];
  heldOut: number;
  /** Estimator of the chosen model, if it was fitted to all facts. */
  estimator: TruthEstimator | undefined;
  /** Estimator that counts all suspected copying, with one accuracy per source; undefined if it is chosen. */
  cautious: TruthEstimator | undefined;
}

interface Candidate {
  dependence: Dependence;
  byAttribute: boolean;
  estimator: TruthEstimator;
  predictions: Predictions;
}

/** Number of facts, from the first, with about `MAX_SELECTION_CLAIMS` claims. */
function factsToCompareOn({ starts }: LearningData): number {
  const last = starts.length - 1;
  if ((starts[last] ?? 0) <= MAX_SELECTION_CLAIMS) return last;
  return Math.max(1, starts.findIndex((start) => start > MAX_SELECTION_CLAIMS) - 1);
}

/**
 * Chooses a model without ground truth: each is fitted and predicts held-out claims from those of other
 * sources of the same fact. Suspected copiers (`pairs`) are left out together, whichever model predicts. A
 * more complex model must predict better, by a margin per winner that it changes.
 */
export function* selectModel(
  data: LearningData,
  accuracies: Float64Array,
  pairs: Dependence,
  groups: readonly Dependence[],
  factsPerStep: number,
): Generator<undefined, Selection, undefined> {
  const facts = factsToCompareOn(data);
  const heldOutFacts = factsToHoldOut(data, facts, 2);
  const candidates: Candidate[] = [];
  const tryOut = function* (
    dependence: Dependence,
    byAttribute: boolean,
  ): Generator<undefined, Candidate, undefined> {
    const estimator = new TruthEstimator({ data, facts, dependence, byAttribute, accuracies });
    yield* estimator.fit(factsPerStep);
    const predictions = yield* predict(estimator, pairs, heldOutFacts);
    const candidate = { dependence, byAttribute, estimator, predictions };
    candidates.push(candidate);
    return candidate;
  };
  const first = yield* tryOut(INDEPENDENT, false);
  let best = first;
  for (const dependence of groups) {
    const next = yield* tryOut(dependence, false);
    if (predictsBetter(next.predictions, best.predictions)) best = next;
  }
  if (data.attributes.length > 1) {
    const next = yield* tryOut(best.dependence, true);
    if (predictsBetter(next.predictions, best.predictions)) best = next;
  }
  const { dependence, byAttribute, estimator } = best;
  const cautious = candidates.find((each) => each.dependence === pairs && !each.byAttribute) ?? first;
  const gain = mean(best.predictions.scores) - mean(first.predictions.scores);
  return {
    dependence,
    model: { dependence: dependence.model, byAttribute, gain },
    evidence: candidates.map(({ dependence: { model }, byAttribute, predictions }) => {
      return { dependence: model, byAttribute, score: mean(predictions.scores) };
    }),
    heldOut: first.predictions.scores.length,
    estimator: facts === data.starts.length - 1 ? estimator : undefined,
    cautious: cautious === best ? undefined : cautious.estimator,
  };
}

function* predict(
  estimator: TruthEstimator,
  pairs: Dependence,
  facts: readonly number[],
): Generator<undefined, Predictions, undefined> {
  const heldOut = new HeldOut(estimator, pairs);
  const scores: number[] = [];
  const winners: number[] = [];
  for (const [index, fact] of facts.entries()) {
    for (const { score, winningGroup } of heldOut.claims(fact)) {
      scores.push(score);
      winners.push(winningGroup);
    }
    if (index % 100 === 99) yield undefined;
  }
  return { scores: Float64Array.from(scores), winners: Int32Array.from(winners) };
}
