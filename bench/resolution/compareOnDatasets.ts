import { accuCopy } from './accuCopy.js';
import { BASELINES } from './baselines.js';
import { NOW } from './generateScenario.js';
import { DatasetGenerator } from './DatasetGenerator.js';
import { isNumeric, DATASETS, MAX_CALIBRATION_ERROR } from './datasets.js';
import type { Dataset } from './datasets.js';
import { prepareFact } from './PreparedFact.js';
import { learn, resolveOursWith } from './resolveOurs.js';
import { scoreAnswers } from './scoreAnswers.js';
import { meanScore } from './meanScore.js';
import type { Score } from './scoreAnswers.js';

/** Seeds that nothing was decided on (docs/resolution.md). */
const SEEDS = [911, 912, 913, 914, 915];

/** Peers that do not go by confidences or by times alone, of which these sets say nothing. */
const PEERS = ['majority', 'CRH', 'TruthFinder', 'plain ACCU'];

/** How much less accurate than the best peer ours may be (issue 16). */
const MAX_LOSS = 0.005;

export interface DatasetReport {
  /** The peer with the greatest accuracy, and the one with the least calibration error. */
  best: { method: string; score: Score };
  calibrated: { method: string; score: Score };
  ours: Score;
  /** By how much ours misses its aims: of accuracy (the best peer's less `MAX_LOSS`), and of calibration. */
  misses: { accuracy: number; calibration: number };
  /** What learning chose: model to number of seeds. */
  models: Map<string, number>;
}

function compareOnce(dataset: Dataset, copying: boolean, seed: number) {
  const facts = new DatasetGenerator(dataset, copying, seed).facts();
  const rule = {
    halfLifeDays: dataset.halfLifeDays ?? Infinity,
    ...(isNumeric(dataset) && { type: 'number' as const }),
  };
  const prepared = facts.map((fact) => prepareFact(fact, rule));
  const isRight = (value: string, truth: string): boolean => value === truth;
  const peers = { ...BASELINES, 'ACCU + copy': accuCopy(dataset.halfLifeDays ?? Infinity, NOW) };
  const scores = Object.entries(peers)
    .filter(([name]) => PEERS.includes(name) || name === 'ACCU + copy')
    .map(([name, peer]) => [name, scoreAnswers(facts, peer(prepared), isRight)] as const);
  const snapshot = learn(facts, { '*': rule });
  const ours = scoreAnswers(facts, resolveOursWith(snapshot, facts, { '*': rule }, NOW), isRight);
  const model = `${snapshot.model.dependence}${snapshot.model.byAttribute ? ', by attribute' : ''}`;
  return { scores: new Map(scores), ours, model };
}

/** For each dataset, with copiers or without: the best peers, and ours. */
export function compareOnDatasets(): Map<string, DatasetReport> {
  const reports = new Map<string, DatasetReport>();
  for (const [name, dataset] of Object.entries(DATASETS)) {
    for (const copying of [false, true]) {
      const runs = SEEDS.map((seed) => compareOnce(dataset, copying, seed));
      const methods = [...(runs[0]?.scores.keys() ?? [])].map((method) => ({
        method,
        score: meanScore(runs.flatMap(({ scores }) => scores.get(method) ?? [])),
      }));
      const [best] = methods.toSorted((a, b) => b.score.accuracy - a.score.accuracy);
      const [calibrated] = methods.toSorted((a, b) => a.score.calibrationError - b.score.calibrationError);
      if (best === undefined || calibrated === undefined) continue;
      const ours = meanScore(runs.map((run) => run.ours));
      const misses = {
        accuracy: Math.max(0, best.score.accuracy - MAX_LOSS - ours.accuracy),
        calibration: Math.max(
          0,
          ours.calibrationError - (dataset.maxCalibrationError ?? MAX_CALIBRATION_ERROR),
        ),
      };
      const models = new Map<string, number>();
      for (const { model } of runs) models.set(model, (models.get(model) ?? 0) + 1);
      reports.set(copying ? `${name}, with copiers` : name, { best, calibrated, ours, misses, models });
    }
  }
  return reports;
}
