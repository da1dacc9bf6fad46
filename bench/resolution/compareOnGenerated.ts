import { accuCopy } from './accuCopy.js';
import { BASELINES } from './baselines.js';
import { DRIFT_HALF_LIFE_DAYS, generateScenario, NOW, SCENARIOS } from './generateScenario.js';
import type { Faults } from './generateScenario.js';
import { prepareFact } from './PreparedFact.js';
import { resolveOurs } from './resolveOurs.js';
import { scoreAnswers } from './scoreAnswers.js';
import { meanScore } from './meanScore.js';
import type { Score } from './scoreAnswers.js';

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];
const FACTS = 2000;
const ACCU_COPY = 'ACCU + copy + decay';

function isSame(value: string, truth: string): boolean {
  return value === truth;
}

function scoresOfSeed(faults: Faults, seed: number): Record<string, Score> {
  const rule = { halfLifeDays: faults.drift ? DRIFT_HALF_LIFE_DAYS : Infinity };
  const facts = generateScenario(faults, seed, FACTS);
  const prepared = facts.map((fact) => prepareFact(fact, rule));
  const peers = { ...BASELINES, [ACCU_COPY]: accuCopy(rule.halfLifeDays, NOW) };
  const answers = Object.entries(peers).map(([name, baseline]) => [name, baseline(prepared)] as const);
  const ours = ['ours', resolveOurs(facts, { '*': rule }, NOW)] as const;
  return Object.fromEntries(
    [...answers, ours].map(([name, given]) => [name, scoreAnswers(facts, given, isSame)]),
  );
}

/** Mean scores over the seeds: scenario → method → score. */
export function compareOnGenerated(): Record<string, Record<string, Score>> {
  const compared = Object.entries(SCENARIOS).map(([scenario, faults]) => {
    const perSeed = SEEDS.map((seed) => scoresOfSeed(faults, seed));
    const methods = [...Object.keys(BASELINES), ACCU_COPY, 'ours'];
    const means = methods.map(
      (method) => [method, meanScore(perSeed.flatMap((scores) => scores[method] ?? []))] as const,
    );
    return [scenario, Object.fromEntries(means)] as const;
  });
  return Object.fromEntries(compared);
}
