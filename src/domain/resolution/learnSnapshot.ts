import { AgreementFit } from './AgreementFit.js';
import type { LearningData } from './ClaimTable.js';
import { borrowCurve } from './borrowCurve.js';
import { commonOrigin } from './commonOrigin.js';
import { copyRates } from './copyRates.js';
import { countPairs } from './countPairs.js';
import { feedsOf, grouped, pairwise, tempered } from './Dependence.js';
import { initialAccuracies } from './initialAccuracies.js';
import { learnCurve } from './learnCurve.js';
import { PairTable } from './PairTable.js';
import { selectModel } from './selectModel.js';
import { snapshotOf } from './snapshotOf.js';
import { TruthEstimator } from './TruthEstimator.js';
import type { AccuracySnapshot } from './types.js';

function claimsBySource(data: LearningData): Int32Array {
  const counts = new Int32Array(data.sources.length);
  for (const source of data.sourceOf) counts[source] = (counts[source] ?? 0) + 1;
  return counts;
}

/**
 * Learns in order of dependency: which sources agree more than their accuracies explain; which dependence
 * model predicts held-out claims best; with it, which claims were right; and the calibration, from the model
 * that counts all suspected copying, with one accuracy per source. Deterministic; yields after about
 * `factsPerStep` facts, which does not affect the outcome.
 */
export function* learnSnapshot(
  data: LearningData,
  version: number,
  factsPerStep: number,
): Generator<undefined, AccuracySnapshot, undefined> {
  const facts = data.starts.length - 1;
  if (facts < 1) return { ...initialAccuracies(), version };
  const sources = data.sources.length;
  const pairs = new PairTable(claimsBySource(data));
  yield* countPairs(pairs, data, data.attributeOf.keys(), factsPerStep);
  const fit = new AgreementFit(pairs, sources);
  yield* fit.fit();
  const rates = copyRates(pairs, fit);
  const suspected = pairwise(pairs, rates, sources);
  const feeds = feedsOf(pairs, rates, sources);
  const models = rates.hasSuspects ? [tempered(suspected), suspected] : [];
  if (feeds.some((feed, source) => feed !== source)) models.push(grouped(feeds));
  const selection = yield* selectModel(data, fit.accuracies, suspected, models, factsPerStep);
  const { cautious, estimator: chosen } = selection;
  const isComplete = chosen.start.facts === facts;
  const estimator = isComplete ? chosen : new TruthEstimator({ ...chosen.start, facts });
  if (!isComplete) yield* estimator.fit(factsPerStep);
  const origin = yield* commonOrigin(data, pairs, rates, factsPerStep);
  const own = yield* learnCurve(cautious ?? estimator, suspected, origin);
  const curve = cautious === undefined ? own : yield* borrowCurve(estimator, cautious, own);
  return snapshotOf({ version, estimator, selection, pairs, rates, curve });
}
