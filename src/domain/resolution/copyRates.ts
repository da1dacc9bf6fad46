import type { AgreementFit } from './AgreementFit.js';
import { COPY_RATES, MIN_COPYING, MAX_COPY_PRIOR, MIN_COPY_EXCESS, MIN_PAIR_FACTS } from './constants.js';
import { clamp } from './logOdds.js';
import type { PairTable } from './PairTable.js';

/** Per row of a `PairTable`. */
export interface CopyRates {
  /** Probability that the pair is dependent. */
  probabilities: Float64Array;
  /** Expected share of the dependent source's claims that are copies, beyond the rate of the median pair. */
  rates: Float64Array;
  /** Whether any pair is suspected at all. */
  hasSuspects: boolean;
}

const BOUNDS = [0.01, 0.995] as const;

/** Log-likelihoods of `COPY_RATES` for one pair, given the agreement rate that two accuracies explain. */
function logLikelihoods(pairs: PairTable, fit: AgreementFit, row: number): number[] {
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
function medianRate(pairs: PairTable, fit: AgreementFit): number {
  const best: number[] = [];
  for (let row = 0; row < pairs.rows; row += 1) {
    if (pairs.facts(row) >= MIN_PAIR_FACTS) best.push(greatest(logLikelihoods(pairs, fit, row)));
  }
  if (best.length < 3) return 0;
  return best.toSorted((a, b) => a - b)[Math.floor(best.length / 2)] ?? 0;
}

/**
 * Finds pairs of sources that agree far more often than their accuracies explain. The size of the excess
 * counts: with many facts in common a small excess is certain, but no copying. Runs once, before any claim is
 * judged, so that a suspicion cannot confirm itself.
 */
export function copyRates(pairs: PairTable, fit: AgreementFit): CopyRates {
  const median = medianRate(pairs, fit);
  const usual = COPY_RATES[median] ?? 0;
  const suspicious = [...COPY_RATES.keys()].filter(
    (at) => (COPY_RATES[at] ?? 0) >= usual + MIN_COPY_EXCESS - 1e-9,
  );
  if (suspicious.length === 0) suspicious.push(COPY_RATES.length - 1);
  const prior = Math.min(MAX_COPY_PRIOR, 1 / Math.max(1, pairs.compared - 1));
  const result = {
    probabilities: new Float64Array(pairs.rows),
    rates: new Float64Array(pairs.rows),
    hasSuspects: false,
  };
  for (let row = 0; row < pairs.rows; row += 1) {
    const evidence = logLikelihoods(pairs, fit, row);
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
    if (probability * rate < MIN_COPYING) continue;
    result.probabilities[row] = probability;
    result.rates[row] = rate;
    result.hasSuspects = true;
  }
  return result;
}
