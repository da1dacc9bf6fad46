import type { Baseline } from './baselines.js';
import type { PreparedFact } from './PreparedFact.js';

const FALSE_VALUES = 100;
const COPY_RATE = 0.8;
const DEPENDENCE = 0.2;
const ROUNDS = 12;
const MILLISECONDS_PER_DAY = 86_400_000;

type Claim = PreparedFact['claims'][number];

function bounded(probability: number): number {
  return Math.min(0.99, Math.max(0.01, probability));
}

/**
 * Dependence of each pair (DEPEN of the paper), from the facts both claim: shared truths, shared errors,
 * differences.
 */
function dependences(
  facts: readonly PreparedFact[],
  winners: readonly number[],
  accuracy: Map<string, number>,
) {
  const logOdds = new Map<string, number>();
  for (const [index, fact] of facts.entries()) {
    for (const [position, a] of fact.claims.entries()) {
      for (const b of fact.claims.slice(position + 1)) {
        const p = bounded(accuracy.get(a.source) ?? 0.8);
        const q = bounded(accuracy.get(b.source) ?? 0.8);
        const truth = p * q;
        const error = ((1 - p) * (1 - q)) / FALSE_VALUES;
        const isTrue = winners[index] === a.group;
        const independent = isTrue ? truth : error;
        const copied = COPY_RATE * (isTrue ? p : 1 - p) + (1 - COPY_RATE) * independent;
        const evidence = a.group === b.group ? Math.log(copied / independent) : Math.log(1 - COPY_RATE);
        const key = [a.source, b.source].toSorted().join('\n');
        logOdds.set(key, (logOdds.get(key) ?? Math.log(DEPENDENCE / (1 - DEPENDENCE))) + evidence);
      }
    }
  }
  return logOdds;
}

function independence(claim: Claim, before: readonly Claim[], logOdds: Map<string, number>): number {
  return before.reduce((product, other) => {
    const odds = logOdds.get([claim.source, other.source].toSorted().join('\n')) ?? -Infinity;
    return product * (1 - COPY_RATE / (1 + Math.exp(-odds)));
  }, 1);
}

/** The posteriors of one fact: votes discounted by suspected copying and by age. */
function posteriorsOf(
  fact: PreparedFact,
  accuracy: Map<string, number>,
  logOdds: Map<string, number>,
  decay: (claim: Claim) => number,
): number[] {
  const trusted = fact.claims.toSorted(
    (a, b) => (accuracy.get(b.source) ?? 0.8) - (accuracy.get(a.source) ?? 0.8),
  );
  const scores = fact.values.map((_, group) => {
    const supporters = trusted.filter((claim) => claim.group === group);
    return supporters.reduce((score, claim, position) => {
      const known = bounded(accuracy.get(claim.source) ?? 0.8);
      const vote = Math.log((FALSE_VALUES * known) / (1 - known));
      return score + vote * independence(claim, supporters.slice(0, position), logOdds) * decay(claim);
    }, 0);
  });
  const most = Math.max(...scores);
  const weights = scores.map((score) => Math.exp(score - most));
  const unclaimed = Math.max(0, FALSE_VALUES + 1 - scores.length) * Math.exp(-most);
  const total = weights.reduce((sum, weight) => sum + weight, unclaimed);
  return weights.map((weight) => weight / total);
}

function accuraciesOf(
  facts: readonly PreparedFact[],
  posteriors: readonly (readonly number[])[],
): Map<string, number> {
  const sums = new Map<string, { sum: number; count: number }>();
  for (const [index, fact] of facts.entries()) {
    for (const claim of fact.claims) {
      const known = sums.get(claim.source) ?? { sum: 0, count: 0 };
      known.sum += posteriors[index]?.[claim.group] ?? 0;
      known.count += 1;
      sums.set(claim.source, known);
    }
  }
  return new Map([...sums].map(([source, { sum, count }]) => [source, sum / count]));
}

/**
 * ACCU with the copy detection of Dong et al. (VLDB 2009, dependence 0.2, copy rate 0.8) and votes that fade
 * with a half-life.
 */
export function accuCopy(halfLifeDays: number, now: Date): Baseline {
  const decay = (claim: Claim): number =>
    2 ** (-(now.getTime() - claim.at) / MILLISECONDS_PER_DAY / halfLifeDays);
  return (facts) => {
    let accuracy = new Map<string, number>();
    let logOdds = new Map<string, number>();
    let posteriors: number[][] = [];
    const winner = (scores: readonly number[]): number => scores.indexOf(Math.max(...scores));
    for (let round = 0; round < ROUNDS; round += 1) {
      posteriors = facts.map((fact) => posteriorsOf(fact, accuracy, logOdds, decay));
      logOdds = dependences(facts, posteriors.map(winner), accuracy);
      accuracy = accuraciesOf(facts, posteriors);
    }
    return facts.map((fact, index) => {
      const scores = posteriors[index] ?? [];
      const group = winner(scores);
      return { value: fact.values[group] ?? '', confidence: scores[group] ?? 0 };
    });
  };
}
