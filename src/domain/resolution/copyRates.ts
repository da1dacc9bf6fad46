import type { ComparedPairs } from './comparePairs.js';
import { COPY_RATES, MIN_COPYING, MAX_COPY_PRIOR, MIN_COPY_EXCESS, MIN_PAIR_FACTS } from './constants.js';
import { clamp } from './logOdds.js';
import type { PairTable } from './PairTable.js';

/** Two sources suspected of depending on each other: in one attribute, or in all together. */
export interface Suspicion {
  first: number;
  second: number;
  attribute?: number;
  /** Probability that the pair is dependent. */
  probability: number;
  /** Expected share of the dependent source's claims that are copies, beyond the rate of the median pair. */
  rate: number;
}

/** Weight of all attributes in what a pair of sources copies in one, in facts. */
const POOLED_FACTS = 200;

const BOUNDS = [0.01, 0.995] as const;

/** Log-likelihoods of `COPY_RATES` for one pair, given the agreement rate that two accuracies explain. */
function logLikelihoods({ pairs, fit }: ComparedPairs, row: number): number[] {
  const expected = clamp(fit.expected(pairs.first(row), pairs.second(row)), ...BOUNDS);
  const agreements = pairs.agreements(row);
  const differences = pairs.facts(row) - agreements;
  return COPY_RATES.map(
    (rate) =>
      agreements * Math.log(rate + (1 - rate) * expected) +
      differences * Math.log((1 - rate) * (1 - expected)),
  );
}

function greatest(values: readonly number[]): number {
  return values.indexOf(Math.max(...values));
}

/** Index of the median pair's likeliest rate. Easy facts and common origins explain it, not copying. */
function medianRate(pairs: PairTable, evidenceOf: (row: number) => number[]): number {
  const best: number[] = [];
  for (let row = 0; row < pairs.rows; row += 1) {
    if (pairs.facts(row) >= MIN_PAIR_FACTS) best.push(greatest(evidenceOf(row)));
  }
  if (best.length < 3) return 0;
  return best.toSorted((a, b) => a - b)[Math.floor(best.length / 2)] ?? 0;
}

/**
 * Finds pairs of sources that agree far more often than their accuracies explain. The size of the excess
 * counts: with many facts in common a small excess is certain, but no copying. Runs once, before any claim is
 * judged, so that a suspicion cannot confirm itself. `pooled`: how the same pairs agree in all attributes;
 * that counts for `POOLED_FACTS`.
 */
export function copyRates(compared: ComparedPairs, pooled?: ComparedPairs): Suspicion[] {
  const { pairs } = compared;
  const evidenceOf = (row: number): number[] => {
    const own = logLikelihoods(compared, row);
    if (pooled === undefined) return own;
    const all = pooled.pairs.rowOf(pairs.first(row), pairs.second(row));
    const weight = Math.min(1, POOLED_FACTS / pooled.pairs.facts(all));
    const others = logLikelihoods(pooled, all);
    return own.map((logLikelihood, at) => logLikelihood + weight * (others[at] ?? 0));
  };
  const median = medianRate(pairs, evidenceOf);
  const usual = COPY_RATES[median] ?? 0;
  const suspicious = [...COPY_RATES.keys()].filter(
    (at) => (COPY_RATES[at] ?? 0) >= usual + MIN_COPY_EXCESS - 1e-9,
  );
  if (suspicious.length === 0) suspicious.push(COPY_RATES.length - 1);
  const prior = Math.min(MAX_COPY_PRIOR, 1 / Math.max(1, pairs.compared - 1));
  const suspicions: Suspicion[] = [];
  for (let row = 0; row < pairs.rows; row += 1) {
    const evidence = evidenceOf(row);
    const usualEvidence = Math.max(...evidence.slice(0, median + 1));
    const greatestEvidence = Math.max(usualEvidence, ...suspicious.map((at) => evidence[at] ?? 0));
    let dependent = 0;
    let weightedRate = 0;
    for (const at of suspicious) {
      const weight = (prior / suspicious.length) * Math.exp((evidence[at] ?? 0) - greatestEvidence);
      dependent += weight;
      weightedRate += (weight * ((COPY_RATES[at] ?? 0) - usual)) / (1 - usual);
    }
    const probability = dependent / (dependent + (1 - prior) * Math.exp(usualEvidence - greatestEvidence));
    const rate = dependent === 0 ? 0 : weightedRate / dependent;
    if (probability * rate >= MIN_COPYING)
      suspicions.push({ first: pairs.first(row), second: pairs.second(row), probability, rate });
  }
  return suspicions;
}
