import type { LearningData } from './LearningData.js';
import { borrowCurve } from './borrowCurve.js';
import { commonOrigin } from './commonOrigin.js';
import { comparePairs } from './comparePairs.js';
import { copyRates } from './copyRates.js';
import { feedsOf, grouped, pairwise } from './Dependence.js';
import { initialAccuracies } from './initialAccuracies.js';
import { learnCurve } from './learnCurve.js';
import { selectModel } from './selectModel.js';
import { snapshotOf } from './snapshotOf.js';
import { TruthEstimator } from './TruthEstimator.js';
import type { AccuracySnapshot } from './types.js';

function claimsBySource(data: LearningData): Int32Array {
  const counts = new Int32Array(data.sources.length);
  for (const source of data.sourceOf) counts[source] = (counts[source] ?? 0) + 1;
  return counts;
}

const FACTS_PER_STEP = 500;

/**
 * Learns in order of dependency: which sources agree more than their accuracies explain; which dependence
 * model predicts held-out claims best; with it, which claims were right; and the calibration, from the model
 * that counts all suspected copying, with one accuracy per source. The result depends only on the set of live
 * claims, not on their order, earlier snapshots or the time of day, so revoked claims leave no trace. Yields
 * after about `factsPerStep` facts, for a caller with other work; that does not affect the outcome.
 */
export function* learnSnapshot(
  data: LearningData,
  version: number,
  factsPerStep = FACTS_PER_STEP,
): Generator<undefined, AccuracySnapshot, undefined> {
  const facts = data.starts.length - 1;
  if (facts < 1) return { ...initialAccuracies(), version };
  const compared = yield* comparePairs(data, claimsBySource(data), data.attributeOf.keys(), factsPerStep);
  const { pairs, fit } = compared;
  const suspicions = copyRates(compared);
  const origin = yield* commonOrigin(data, compared, suspicions, factsPerStep);
  const whole = pairwise('pairs', pairs, suspicions);
  const groups = suspicions.length > 0 ? [pairwise('tempered_pairs', pairs, suspicions), whole] : [];
  const feeds = feedsOf(suspicions, data.sources.length);
  if (feeds.some((feed, source) => feed !== source)) groups.push(grouped(feeds));
  const models = origin.refined.length === 0 ? [] : (['tempered_pairs', 'pairs'] as const);
  const refined = models.map((model) => pairwise(model, pairs, [...suspicions, ...origin.refined]));
  // Sources of a feed bear out each other's narrow errors.
  const mayBeNear = origin.overall === 0;
  const selection = yield* selectModel(data, fit.accuracies, { groups, refined, mayBeNear }, factsPerStep);
  const { cautious, estimator: chosen } = selection;
  const isComplete = chosen.start.facts === facts;
  const estimator = isComplete ? chosen : new TruthEstimator({ ...chosen.start, facts });
  if (!isComplete) yield* estimator.fit(factsPerStep);
  const lent = yield* learnCurve(cautious ?? estimator, whole, origin);
  const curve = cautious === undefined ? lent : yield* borrowCurve(estimator, cautious, lent);
  return snapshotOf({ version, estimator, selection, curve });
}
