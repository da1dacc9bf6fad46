import { logistic, logit } from '../../src/domain/resolution/logOdds.js';
import type { BenchFact } from './BenchFact.js';
import { Random } from './Random.js';

export interface Faults {
  /** Four of the sources copy a fifth. */
  copiers: boolean;
  /** The truth changes with a half-life of `DRIFT_HALF_LIFE_DAYS`. */
  drift: boolean;
  /** Three of the sources are always sure of themselves. */
  overconfident: boolean;
}

export const SCENARIOS: Readonly<Record<string, Faults>> = {
  clean: { copiers: false, drift: false, overconfident: false },
  copiers: { copiers: true, drift: false, overconfident: false },
  drift: { copiers: false, drift: true, overconfident: false },
  overconfident: { copiers: false, drift: false, overconfident: true },
  all: { copiers: true, drift: true, overconfident: true },
};

export const DRIFT_HALF_LIFE_DAYS = 120;
export const NOW = new Date('2026-01-01T00:00:00.000Z');

const SOURCES = 12;
const COPIERS = 4;
/**
 * Chosen so that majority vote is right as often as in the trial that set the aims: .80 with copiers, .70
 * with all faults.
 */
const COPY_RATE = 0.75;
const OVERCONFIDENT = 3;
const VALUES = 5;
const MAX_MEAN_AGE_DAYS = 210;
const MILLISECONDS_PER_DAY = 86_400_000;

interface Source {
  name: string;
  accuracy: number;
  copies: number | null;
  isSure: boolean;
}

/**
 * Accuracies spread evenly from 0.55 to 0.85; the copied source is below 0.75, as copying the best does
 * little harm.
 */
function makeSources(faults: Faults, random: Random): Source[] {
  const accuracies = random.shuffled(
    Array.from({ length: SOURCES }, (_, index) => 0.55 + (0.3 * index) / (SOURCES - 1)),
  );
  const sources = accuracies.map((accuracy, index): Source => {
    return { name: `source-${index}`, accuracy, copies: null, isSure: false };
  });
  const roles = random.shuffled([...sources.keys()]);
  if (faults.copiers) {
    const original = roles.find((index) => (sources[index]?.accuracy ?? 1) < 0.75) ?? 0;
    roles.splice(roles.indexOf(original), 1);
    for (const index of roles.splice(0, COPIERS)) Object.assign(sources[index] ?? {}, { copies: original });
  }
  if (faults.overconfident) {
    for (const index of roles.splice(0, OVERCONFIDENT)) Object.assign(sources[index] ?? {}, { isSure: true });
  }
  return sources;
}

/** The true value at each time: `truthAt(age)` with the age in days before now. */
function makeTruth(drifts: boolean, random: Random): (age: number) => number {
  const changes: { age: number; value: number }[] = [{ age: Infinity, value: random.below(VALUES) }];
  let age = 10 * MAX_MEAN_AGE_DAYS;
  const pause = (): number =>
    drifts ? (-DRIFT_HALF_LIFE_DAYS / Math.LN2) * Math.log(1 - random.next()) : Infinity;
  for (age -= pause(); age > 0; age -= pause()) changes.push({ age, value: random.below(VALUES) });
  return (at) => changes.findLast((change) => change.age >= at)?.value ?? 0;
}

interface Observation {
  age: number;
  value: number;
  confidence: number;
}

function observe(source: Source, truthAt: (age: number) => number, age: number, random: Random): Observation {
  const sureness = logit(source.accuracy) + 0.3 * random.normal();
  const truth = truthAt(age);
  const isRight = random.next() < logistic(sureness);
  const value = isRight ? truth : (truth + 1 + random.below(VALUES - 1)) % VALUES;
  const stated = source.isSure ? 0.95 + 0.04 * random.next() : logistic(sureness + 0.5 * random.normal());
  return { age, value, confidence: Math.round(stated * 100) / 100 };
}

/** Who claims the fact: 4 or 5 of the sources. */
function chooseClaimants(sources: readonly Source[], random: Random): number[] {
  const count = 4 + random.below(2);
  return random.shuffled([...sources.keys()]).slice(0, count);
}

function makeFact(index: number, sources: readonly Source[], drifts: boolean, random: Random): BenchFact {
  const truthAt = makeTruth(drifts, random);
  const meanAge = MAX_MEAN_AGE_DAYS * random.next() ** 3;
  const ages = sources.map(() => -meanAge * Math.log(1 - random.next()));
  const own = sources.map((source, position) => observe(source, truthAt, ages[position] ?? 0, random));
  const claims = chooseClaimants(sources, random).map((position) => {
    const source = sources[position];
    let seen = own[position];
    const original = source?.copies === null || source === undefined ? undefined : own[source.copies];
    if (original !== undefined && seen !== undefined && random.next() < COPY_RATE) {
      seen = { ...seen, value: original.value, age: Math.min(seen.age, original.age) * random.next() };
    }
    return { source: source?.name ?? '', ...(seen ?? { age: 0, value: 0, confidence: 0 }) };
  });
  return {
    key: `fact-${index}`,
    attribute: 'generated',
    truth: `v${truthAt(0)}`,
    claims: claims.map((claim, position) => ({
      id: `clm_${index}_${position}`,
      attribute: 'generated',
      value: `v${claim.value}`,
      source: claim.source,
      observedAt: new Date(NOW.getTime() - claim.age * MILLISECONDS_PER_DAY).toISOString(),
      sequence: position,
      confidence: claim.confidence,
    })),
  };
}

/** Facts of a scenario, all of the same sources; a function of the seed and the number of the first fact. */
export function generateScenario(faults: Faults, seed: number, facts: number, firstFact = 0): BenchFact[] {
  const sources = makeSources(faults, new Random(seed));
  const random = new Random(seed * 1_000_003 + firstFact);
  return Array.from({ length: facts }, (_, index) =>
    makeFact(firstFact + index, sources, faults.drift, random),
  );
}
