import { CONFIDENCE_MARGIN, REFERENCE_CONFIDENCE } from './constants.js';
import { reliabilityIn } from './reliabilityIn.js';
import { clamp, logit } from './logOdds.js';

const REFERENCE = logit(REFERENCE_CONFIDENCE);

/** How far the stated confidence lies from the reference, in log-odds. */
export function statedLogOdds(confidence: number): number {
  return logit(clamp(confidence, CONFIDENCE_MARGIN, 1 - CONFIDENCE_MARGIN)) - REFERENCE;
}

/** Log-odds that a claim on an easy fact was right when observed, by its source and stated confidence. */
export function claimLogOdds(source: { intercept: number; slope: number }, confidence: number): number {
  return source.intercept + source.slope * statedLogOdds(confidence);
}

/** Probability that a claim was right when observed, before other claims on the fact are considered. */
export function claimReliability(logOdds: number, hardShare: number, domain: number): number {
  return (1 - hardShare) * reliabilityIn(0, logOdds, domain) + hardShare * reliabilityIn(1, logOdds, domain);
}
