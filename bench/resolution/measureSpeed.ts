import { ClaimTable } from '../../src/domain/resolution/ClaimTable.js';
import { initialAccuracies } from '../../src/domain/resolution/initialAccuracies.js';
import { learnFromTable } from '../../src/domain/resolution/learnAccuracies.js';
import { resolveFact } from '../../src/domain/resolution/resolveFact.js';
import { generateScenario, NOW, SCENARIOS } from './generateScenario.js';

const ALL = { copiers: true, drift: true, overconfident: true };
const RULE = { halfLifeDays: 120 };
const FACTS_PER_CHUNK = 2000;

export interface LearningCost {
  claims: number;
  seconds: number;
  /** Greatest growth of the process, sampled between pieces of work. */
  peakMegabytes: number;
  /** Longest piece of work between two yields. */
  longestStepMilliseconds: number;
}

/** Facts of 4 to 5 claims resolved per second, on one core. */
export function measureResolving(): number {
  const facts = generateScenario(SCENARIOS['all'] ?? ALL, 1, 20_000);
  const accuracies = initialAccuracies();
  for (const fact of facts.slice(0, 2000)) resolveFact(fact.claims, accuracies, RULE, NOW);
  const started = process.hrtime.bigint();
  for (const fact of facts) resolveFact(fact.claims, accuracies, RULE, NOW);
  return facts.length / (Number(process.hrtime.bigint() - started) / 1e9);
}

/** A full snapshot over about so many claims, which are generated in chunks as a database would deliver them. */
export function measureLearning(claims: number): LearningCost {
  const before = process.memoryUsage.rss();
  let peak = before;
  const sample = (): void => {
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  const table = new ClaimTable({ '*': RULE });
  let nanoseconds = 0n;
  let added = 0;
  for (let chunk = 0; added < claims; chunk += 1) {
    const facts = generateScenario(ALL, 1, FACTS_PER_CHUNK, chunk * FACTS_PER_CHUNK);
    const started = process.hrtime.bigint();
    for (const fact of facts) {
      if (added >= claims) break;
      table.addFact(fact.key, fact.claims);
      added += fact.claims.length;
    }
    nanoseconds += process.hrtime.bigint() - started;
    sample();
  }
  const learning = learnFromTable(table, 1);
  const steps = { longest: 0n };
  for (;;) {
    const started = process.hrtime.bigint();
    const step = learning.next();
    const taken = process.hrtime.bigint() - started;
    if (taken > steps.longest) steps.longest = taken;
    nanoseconds += taken;
    sample();
    if (step.done === true) break;
  }
  return {
    claims: added,
    seconds: Number(nanoseconds) / 1e9,
    peakMegabytes: (peak - before) / 2 ** 20,
    longestStepMilliseconds: Number(steps.longest) / 1e6,
  };
}
