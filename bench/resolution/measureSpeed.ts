import { ClaimTable } from '../../src/domain/resolution/ClaimTable.js';
import { learnSnapshot } from '../../src/domain/resolution/learnSnapshot.js';
import { resolveFact } from '../../src/domain/resolution/resolveFact.js';
import type { BenchFact } from './BenchFact.js';
import { generateScenario, NOW } from './generateScenario.js';
import { learn } from './resolveOurs.js';

const ALL = { copiers: true, drift: true, overconfident: true };
const RULE = { halfLifeDays: 120 };
const FACTS_PER_CHUNK = 2000;

export interface LearningCost {
  claims: number;
  /** Processor time. */
  seconds: number;
  /** Greatest resident size of the process, Node.js itself included. */
  peakMegabytes: number;
  /** Longest piece of work between two yields. */
  longestStepMilliseconds: number;
}

/** Facts of 4 to 5 claims resolved per second, on one core, with learned accuracies. */
export function measureResolving(): number {
  const facts = generateScenario(ALL, 1, 20_000);
  const accuracies = learn(facts.slice(0, FACTS_PER_CHUNK), { '*': RULE });
  for (const fact of facts.slice(0, FACTS_PER_CHUNK)) resolveFact(fact.claims, accuracies, RULE, NOW);
  const started = process.cpuUsage();
  for (const fact of facts) resolveFact(fact.claims, accuracies, RULE, NOW);
  return facts.length / secondsOf(process.cpuUsage(started));
}

/** Processor time, which depends less than the clock's on other load. */
function secondsOf(used: NodeJS.CpuUsage): number {
  return (used.user + used.system) / 1e6;
}

class Stopwatch {
  seconds = 0;
  longest = 0;

  time<T>(work: () => T): T {
    const started = process.cpuUsage();
    const result = work();
    const taken = secondsOf(process.cpuUsage(started));
    this.seconds += taken;
    this.longest = Math.max(this.longest, taken);
    return result;
  }
}

/**
 * A full snapshot over about so many claims, which are generated in chunks as a database would deliver them.
 */
export function measureLearning(claims: number): LearningCost {
  const table = new ClaimTable({ '*': RULE });
  const reading = new Stopwatch();
  const watch = new Stopwatch();
  let added = 0;
  for (let first = 0; added < claims; first += FACTS_PER_CHUNK) {
    const facts: BenchFact[] = [];
    for (const fact of generateScenario(ALL, 1, FACTS_PER_CHUNK, first)) {
      if (added >= claims) break;
      added += fact.claims.length;
      facts.push(fact);
    }
    reading.time(() => {
      for (const fact of facts) table.addFact(fact.key, fact.claims);
    });
  }
  const learning = learnSnapshot(table.read(), 1);
  while (watch.time(() => learning.next()).done !== true) {
    // A service would attend to something else here.
  }
  return {
    claims: added,
    seconds: reading.seconds + watch.seconds,
    peakMegabytes: process.resourceUsage().maxRSS / 1024,
    longestStepMilliseconds: watch.longest * 1000,
  };
}
