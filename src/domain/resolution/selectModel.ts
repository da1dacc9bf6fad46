import type { LearningData } from './LearningData.js';
import { MAX_SELECTION_CLAIMS } from './constants.js';
import { INDEPENDENT } from './Dependence.js';
import type { Dependence } from './Dependence.js';
import { factsToHoldOut, HeldOut } from './HeldOut.js';
import { mean } from './mean.js';
import { predictionsIn, predictsBetter } from './predictsBetter.js';
import type { Predictions } from './predictsBetter.js';
import { TruthEstimator } from './TruthEstimator.js';
import type { EstimatorStart } from './TruthEstimator.js';
import type { ChosenModel, ModelScore } from './types.js';

export interface Selection {
  model: ChosenModel;
  evidence: ModelScore[];
  heldOut: number;
  /** Estimator of the chosen model, fitted to the facts that models are compared on. */
  estimator: TruthEstimator;
  /**
   * Estimator that counts all suspected copying, with one accuracy per source. In an attribute all may be
   * better or worse by the same, if that predicts better. Undefined if it is chosen.
   */
  cautious: TruthEstimator | undefined;
}

/** What may be chosen beside independent sources. */
interface Candidates {
  /** Ways in which sources depend on each other. */
  groups: readonly Dependence[];
  /** The same with copying by attribute, tried last. */
  refined: readonly Dependence[];
  /** Whether errors may lie near the truth. */
  mayBeNear: boolean;
}

interface Candidate {
  estimator: TruthEstimator;
  predictions: Predictions;
}

function modelOf({ start }: TruthEstimator): Omit<ModelScore, 'score' | 'near'> {
  return { dependence: start.dependence.model, byAttribute: start.offsets === 'sources' };
}

/** Number of facts, from the first, with about `MAX_SELECTION_CLAIMS` claims. */
function factsToCompareOn({ starts }: LearningData): number {
  const last = starts.length - 1;
  if ((starts[last] ?? 0) <= MAX_SELECTION_CLAIMS) return last;
  return Math.max(1, starts.findIndex((start) => start > MAX_SELECTION_CLAIMS) - 1);
}

/**
 * Chooses a model without ground truth: each is fitted and predicts held-out claims from those of other
 * sources of the same fact. Suspected copiers are left out together, whichever model predicts. A more complex
 * model must predict better, by a margin per winner that it changes.
 */
export function* selectModel(
  data: LearningData,
  accuracies: Float64Array,
  { groups, refined, mayBeNear }: Candidates,
  factsPerStep: number,
): Generator<undefined, Selection, undefined> {
  const isWhole = ({ model }: Dependence): boolean => model === 'pairs';
  const whole = groups.find(isWhole) ?? INDEPENDENT;
  const facts = factsToCompareOn(data);
  const heldOutFacts = factsToHoldOut(data, facts, 2);
  const candidates: Candidate[] = [];
  const nowhere: ReadonlySet<number> = new Set();
  const simplest = { dependence: INDEPENDENT, offsets: 'none', near: nowhere } as const;
  const tryOut = function* (
    start: Pick<EstimatorStart, 'dependence' | 'offsets' | 'near'>,
  ): Generator<undefined, Candidate, undefined> {
    const estimator = new TruthEstimator({ ...start, data, facts, accuracies });
    yield* estimator.fit(factsPerStep);
    const candidate = { estimator, predictions: yield* predict(estimator, whole, heldOutFacts) };
    candidates.push(candidate);
    return candidate;
  };
  const first = yield* tryOut(simplest);
  let best = first;
  for (const dependence of groups) {
    const next = yield* tryOut({ ...simplest, dependence });
    if (predictsBetter(next.predictions, best.predictions)) best = next;
  }
  if (data.attributes.length > 1) {
    const next = yield* tryOut({ ...best.estimator.start, offsets: 'sources' });
    if (predictsBetter(next.predictions, best.predictions)) best = next;
  }
  const measured = new Set([...data.steps.keys()].filter((attribute) => data.steps[attribute] !== undefined));
  if (mayBeNear && measured.size > 0) {
    const { start } = best.estimator;
    let next = yield* tryOut({ ...start, near: measured });
    const near = new Set([...measured].filter((attribute) => isBetterIn(attribute, next, best)));
    if (near.size < measured.size) next = near.size === 0 ? best : yield* tryOut({ ...start, near });
    if (predictsBetter(next.predictions, best.predictions)) best = next;
  }
  const evidence = candidates.map((each) => {
    const { near } = each.estimator.start;
    return {
      ...modelOf(each.estimator),
      ...(near.size > 0 && { near: true as const }),
      score: mean(each.predictions.scores),
    };
  });
  const { dependence, near } = best.estimator.start;
  const own = refined.find(({ model }) => model === dependence.model);
  const last = own === undefined ? best : yield* tryOut({ ...best.estimator.start, dependence: own });
  const isRefined = predictsBetter(last.predictions, best.predictions);
  if (isRefined) best = last;
  const suspected = (isRefined ? refined : groups).find(isWhole) ?? INDEPENDENT;
  const { estimator } = best;
  let doubting =
    candidates.find(
      ({ estimator: { start } }) =>
        start.dependence === suspected && start.offsets === 'none' && start.near === near,
    ) ?? (yield* tryOut({ dependence: suspected, offsets: 'none', near }));
  if (estimator.start.offsets === 'sources') {
    const next = yield* tryOut({ ...doubting.estimator.start, offsets: 'attributes' });
    if (predictsBetter(next.predictions, doubting.predictions)) doubting = next;
  }
  return {
    model: { ...modelOf(estimator), gain: mean(best.predictions.scores) - mean(first.predictions.scores) },
    evidence,
    heldOut: first.predictions.scores.length,
    estimator,
    cautious: doubting === best ? undefined : doubting.estimator,
  };
}

function isBetterIn(attribute: number, challenger: Candidate, champion: Candidate): boolean {
  return predictsBetter(
    predictionsIn(challenger.predictions, attribute),
    predictionsIn(champion.predictions, attribute),
  );
}

function* predict(
  estimator: TruthEstimator,
  pairs: Dependence,
  facts: readonly number[],
): Generator<undefined, Predictions, undefined> {
  const heldOut = new HeldOut(estimator, pairs);
  const scores: number[] = [];
  const winners: number[] = [];
  const attributes: number[] = [];
  for (const [index, fact] of facts.entries()) {
    for (const { attribute, score, winningGroup } of heldOut.claims(fact)) {
      scores.push(score);
      winners.push(winningGroup);
      attributes.push(attribute);
    }
    if (index % 100 === 99) yield undefined;
  }
  return {
    scores: Float64Array.from(scores),
    winners: Int32Array.from(winners),
    attributes: Int32Array.from(attributes),
  };
}
