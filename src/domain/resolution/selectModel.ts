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

type Model = Pick<EstimatorStart, 'dependence' | 'offsets' | 'near'>;

interface Candidate {
  estimator: TruthEstimator;
  predictions: Predictions;
}

type Stage<Outcome = Candidate> = Generator<undefined, Outcome, undefined>;

const SIMPLEST: Model = { dependence: INDEPENDENT, offsets: 'none', near: new Set() };

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
): Stage<Selection> {
  const contest = new Contest(data, accuracies, wholeOf(groups), factsPerStep);
  const simplest = yield* contest.enter(SIMPLEST);
  const dependent = yield* chooseDependence(contest, simplest, groups);
  const offset = yield* chooseOffsets(contest, dependent);
  const placed = mayBeNear ? yield* chooseNear(contest, offset) : offset;
  const evidence = contest.entered.map(evidenceOf);
  const best = yield* refineDependence(contest, placed, refined);
  const doubting = yield* chooseDoubting(contest, best, wholeOf(best === placed ? groups : refined));
  return {
    model: { ...modelOf(best), gain: scoreOf(best) - scoreOf(simplest) },
    evidence,
    heldOut: simplest.predictions.scores.length,
    estimator: best.estimator,
    cautious: doubting === best ? undefined : doubting.estimator,
  };
}

/** The way in which all suspected copying counts. */
function wholeOf(dependences: readonly Dependence[]): Dependence {
  return dependences.find(({ model }) => model === 'pairs') ?? INDEPENDENT;
}

function* chooseDependence(contest: Contest, simplest: Candidate, groups: readonly Dependence[]): Stage {
  let best = simplest;
  for (const dependence of groups) best = yield* contest.challenge(best, { dependence });
  return best;
}

function* chooseOffsets(contest: Contest, best: Candidate): Stage {
  if (contest.data.attributes.length < 2) return best;
  return yield* contest.challenge(best, { offsets: 'sources' });
}

/** Of the attributes of numbers, errors lie near the truth in those where that predicts better. */
function* chooseNear(contest: Contest, best: Candidate): Stage {
  const { steps } = contest.data;
  const measured = new Set([...steps.keys()].filter((attribute) => steps[attribute] !== undefined));
  if (measured.size === 0) return best;
  const { start } = best.estimator;
  const everywhere = yield* contest.enter({ ...start, near: measured });
  const near = new Set([...measured].filter((attribute) => isBetterIn(attribute, everywhere, best)));
  if (near.size === 0) return best;
  return better(near.size < measured.size ? yield* contest.enter({ ...start, near }) : everywhere, best);
}

/** The same model with copying by attribute. */
function* refineDependence(contest: Contest, best: Candidate, refined: readonly Dependence[]): Stage {
  const dependence = refined.find(({ model }) => model === best.estimator.start.dependence.model);
  return dependence === undefined ? best : yield* contest.challenge(best, { dependence });
}

/** The candidate that counts all suspected copying (`Selection.cautious`). */
function* chooseDoubting(contest: Contest, best: Candidate, whole: Dependence): Stage {
  const { near, offsets } = best.estimator.start;
  const model = { dependence: whole, offsets: 'none', near } as const;
  const doubting = contest.find(model) ?? (yield* contest.enter(model));
  return offsets === 'sources' ? yield* contest.challenge(doubting, { offsets: 'attributes' }) : doubting;
}

/** Fits models to the same facts and lets them predict the same held-out claims. */
class Contest {
  readonly entered: Candidate[] = [];
  readonly #facts: number;
  readonly #heldOut: readonly number[];

  constructor(
    readonly data: LearningData,
    readonly accuracies: Float64Array,
    readonly pairs: Dependence,
    readonly factsPerStep: number,
  ) {
    this.#facts = factsToCompareOn(data);
    this.#heldOut = factsToHoldOut(data, this.#facts, 2);
  }

  *enter(model: Model): Stage {
    const { data, accuracies } = this;
    const estimator = new TruthEstimator({ ...model, data, facts: this.#facts, accuracies });
    yield* estimator.fit(this.factsPerStep);
    const candidate = { estimator, predictions: yield* predict(estimator, this.pairs, this.#heldOut) };
    this.entered.push(candidate);
    return candidate;
  }

  /** Enters the champion's model with changes. @returns the better of the two */
  *challenge(champion: Candidate, changes: Partial<Model>): Stage {
    return better(yield* this.enter({ ...champion.estimator.start, ...changes }), champion);
  }

  find({ dependence, offsets, near }: Model): Candidate | undefined {
    return this.entered.find(
      ({ estimator: { start } }) =>
        start.dependence === dependence && start.offsets === offsets && start.near === near,
    );
  }
}

function better(challenger: Candidate, champion: Candidate): Candidate {
  return predictsBetter(challenger.predictions, champion.predictions) ? challenger : champion;
}

function isBetterIn(attribute: number, challenger: Candidate, champion: Candidate): boolean {
  return predictsBetter(
    predictionsIn(challenger.predictions, attribute),
    predictionsIn(champion.predictions, attribute),
  );
}

function modelOf({ estimator: { start } }: Candidate): Omit<ModelScore, 'score' | 'near'> {
  return { dependence: start.dependence.model, byAttribute: start.offsets === 'sources' };
}

function scoreOf({ predictions }: Candidate): number {
  return mean(predictions.scores);
}

function evidenceOf(candidate: Candidate): ModelScore {
  const hasNear = candidate.estimator.start.near.size > 0;
  return { ...modelOf(candidate), ...(hasNear && { near: true as const }), score: scoreOf(candidate) };
}

/** Number of facts, from the first, with about `MAX_SELECTION_CLAIMS` claims. */
function factsToCompareOn({ starts }: LearningData): number {
  const last = starts.length - 1;
  if ((starts[last] ?? 0) <= MAX_SELECTION_CLAIMS) return last;
  return Math.max(1, starts.findIndex((start) => start > MAX_SELECTION_CLAIMS) - 1);
}

function* predict(
  estimator: TruthEstimator,
  pairs: Dependence,
  facts: readonly number[],
): Stage<Predictions> {
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
