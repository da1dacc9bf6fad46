import { AgreementFit } from './AgreementFit.js';
import type { LearningData } from './ClaimTable.js';
import { MAX_COMPARED_CLAIMS } from './constants.js';
import { borrowCurve } from './borrowCurve.js';
import { commonOrigin } from './commonOrigin.js';
import { copyRates } from './copyRates.js';
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

function* countPairs(data: LearningData, factsPerStep: number): Generator<undefined, PairTable, undefined> {
  const pairs = new PairTable(claimsBySource(data));
  const { starts, sourceOf, groupOf } = data;
  for (let fact = 0; fact + 1 < starts.length; fact += 1) {
    const end = starts[fact + 1] ?? 0;
    const first = Math.max(starts[fact] ?? 0, end - MAX_COMPARED_CLAIMS);
    for (let b = first + 1; b < end; b += 1) {
      for (let a = first; a < b; a += 1)
        pairs.add(sourceOf[a] ?? 0, sourceOf[b] ?? 0, groupOf[a] === groupOf[b]);
    }
    if (fact % factsPerStep === factsPerStep - 1) yield undefined;
  }
  return pairs;
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
  const pairs = yield* countPairs(data, factsPerStep);
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
  const own = yield* learnCurve(cautious ?? estimator, suspected, commonOrigin(data, pairs, rates));
  const curve = cautious === undefined ? own : yield* borrowCurve(estimator, cautious, own);
  return snapshotOf({ version, estimator, selection, pairs, rates, curve });
}
