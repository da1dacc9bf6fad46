import type { Answer } from './BenchFact.js';
import type { PreparedFact } from './PreparedFact.js';

/** A peer: answers every fact of a data set. */
export type Baseline = (facts: readonly PreparedFact[]) => Answer[];

type Claim = PreparedFact['claims'][number];

function tally(fact: PreparedFact, weigh: (claim: Claim) => number): number[] {
  const totals = fact.values.map(() => 0);
  for (const claim of fact.claims) totals[claim.group] = (totals[claim.group] ?? 0) + weigh(claim);
  return totals;
}

/** The group of the greatest score; ties to the newest claim, as ours. */
function best(fact: PreparedFact, scores: readonly number[]): number {
  const newest = fact.values.map(() => -Infinity);
  for (const claim of fact.claims) newest[claim.group] = Math.max(newest[claim.group] ?? 0, claim.at);
  const order = [...scores.keys()].toSorted(
    (a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || (newest[b] ?? 0) - (newest[a] ?? 0) || a - b,
  );
  return order[0] ?? 0;
}

function answer(fact: PreparedFact, scores: readonly number[]): Answer {
  const group = best(fact, scores);
  const total = scores.reduce((sum, score) => sum + score, 0);
  return { value: fact.values[group] ?? '', confidence: (scores[group] ?? 0) / total };
}

/** The newest claim, with its stated confidence. */
export const lastWrite: Baseline = (facts) =>
  facts.map((fact) => {
    const newest = fact.claims.toSorted((a, b) => b.at - a.at || b.sequence - a.sequence)[0];
    return { value: fact.values[newest?.group ?? 0] ?? '', confidence: newest?.confidence ?? 0 };
  });

/** Most sources; confidence: their share. */
export const majority: Baseline = (facts) =>
  facts.map((fact) =>
    answer(
      fact,
      tally(fact, () => 1),
    ),
  );

/** The claim that is surest of itself. */
export const maxConfidence: Baseline = (facts) =>
  facts.map((fact) => {
    const surest = fact.claims.toSorted(
      (a, b) => b.confidence - a.confidence || b.at - a.at || b.sequence - a.sequence,
    )[0];
    return { value: fact.values[surest?.group ?? 0] ?? '', confidence: surest?.confidence ?? 0 };
  });

function distances(
  facts: readonly PreparedFact[],
  chosen: readonly number[],
): Map<string, { wrong: number; all: number }> {
  const bySource = new Map<string, { wrong: number; all: number }>();
  for (const [index, fact] of facts.entries()) {
    for (const claim of fact.claims) {
      const count = bySource.get(claim.source) ?? { wrong: 0, all: 0 };
      count.wrong += Number(claim.group !== chosen[index]);
      count.all += 1;
      bySource.set(claim.source, count);
    }
  }
  return bySource;
}

/**
 * CRH (Li et al., SIGMOD 2014) for categorical values: weights minus the logarithm of a source's share of all
 * mean losses.
 */
export const crh: Baseline = (facts) => {
  let scores = facts.map((fact) => tally(fact, () => 1));
  for (let round = 0; round < 10; round += 1) {
    const chosen = scores.map((score, index) =>
      best(facts[index] ?? { attribute: '', values: [], claims: [] }, score),
    );
    const losses = distances(facts, chosen);
    const mean = (count: { wrong: number; all: number } | undefined): number =>
      ((count?.wrong ?? 0) + 1e-6) / ((count?.all ?? 0) + 1e-6);
    const total = [...losses.values()].reduce((sum, count) => sum + mean(count), 0);
    scores = facts.map((fact) => tally(fact, (claim) => -Math.log(mean(losses.get(claim.source)) / total)));
  }
  return facts.map((fact, index) => answer(fact, scores[index] ?? []));
};

/**
 * TruthFinder (Yin, Han, Yu, KDD 2007) without implication between values: trust starts at 0.9, dampening
 * 0.3.
 */
export const truthFinder: Baseline = (facts) => {
  const dampening = 0.3;
  let trust = new Map<string, number>();
  let confidences: number[][] = [];
  for (let round = 0; round < 10; round += 1) {
    const score = (claim: Claim): number => -Math.log(1 - Math.min(trust.get(claim.source) ?? 0.9, 1 - 1e-9));
    confidences = facts.map((fact) => tally(fact, score).map((sum) => 1 / (1 + Math.exp(-dampening * sum))));
    const sums = new Map<string, { sum: number; count: number }>();
    for (const [index, fact] of facts.entries()) {
      for (const claim of fact.claims) {
        const known = sums.get(claim.source) ?? { sum: 0, count: 0 };
        known.sum += confidences[index]?.[claim.group] ?? 0;
        known.count += 1;
        sums.set(claim.source, known);
      }
    }
    trust = new Map([...sums].map(([source, { sum, count }]) => [source, sum / count]));
  }
  return facts.map((fact, index) => {
    const group = best(fact, confidences[index] ?? []);
    return { value: fact.values[group] ?? '', confidence: confidences[index]?.[group] ?? 0 };
  });
};

/** ACCU (Dong et al., VLDB 2009) without copying: 100 false values, accuracy starts at 0.8. */
export const accu: Baseline = (facts) => {
  const falseValues = 100;
  let accuracy = new Map<string, number>();
  let posteriors: number[][] = [];
  for (let round = 0; round < 20; round += 1) {
    const weigh = (claim: Claim): number => {
      const known = Math.min(0.99, Math.max(0.01, accuracy.get(claim.source) ?? 0.8));
      return Math.log((falseValues * known) / (1 - known));
    };
    posteriors = facts.map((fact) => {
      const scores = tally(fact, weigh);
      const most = Math.max(...scores);
      const weights = scores.map((score) => Math.exp(score - most));
      const unclaimed = Math.max(0, falseValues + 1 - scores.length) * Math.exp(-most);
      const total = weights.reduce((sum, weight) => sum + weight, unclaimed);
      return weights.map((weight) => weight / total);
    });
    const sums = new Map<string, { sum: number; count: number }>();
    for (const [index, fact] of facts.entries()) {
      for (const claim of fact.claims) {
        const known = sums.get(claim.source) ?? { sum: 0, count: 0 };
        known.sum += posteriors[index]?.[claim.group] ?? 0;
        known.count += 1;
        sums.set(claim.source, known);
      }
    }
    accuracy = new Map([...sums].map(([source, { sum, count }]) => [source, sum / count]));
  }
  return facts.map((fact, index) => {
    const group = best(fact, posteriors[index] ?? []);
    return { value: fact.values[group] ?? '', confidence: posteriors[index]?.[group] ?? 0 };
  });
};

export const BASELINES: Readonly<Record<string, Baseline>> = {
  'last write': lastWrite,
  majority,
  'max claimed': maxConfidence,
  CRH: crh,
  TruthFinder: truthFinder,
  'plain ACCU': accu,
};
