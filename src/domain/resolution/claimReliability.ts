import { CONFIDENCE_MARGIN, REFERENCE_CONFIDENCE, RELIABILITY_MARGIN } from './constants.js';
import { clamp, logistic, logit } from './logOdds.js';

const REFERENCE = logit(REFERENCE_CONFIDENCE);

/** How far the stated confidence lies from the reference, in log-odds. */
export function statedLogOdds(confidence: number): number {
  return logit(clamp(confidence, CONFIDENCE_MARGIN, 1 - CONFIDENCE_MARGIN)) - REFERENCE;
}

/** Probability that a claim was right when it was observed, given its source and its stated confidence. */
export function claimReliability(source: { intercept: number; slope: number }, confidence: number): number {
  const probability = logistic(source.intercept + source.slope * statedLogOdds(confidence));
  return clamp(probability, RELIABILITY_MARGIN, 1 - RELIABILITY_MARGIN);
}
