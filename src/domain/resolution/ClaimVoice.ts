import { INTERCEPT_SPREAD } from './constants.js';
import type { FactSmoother } from './FactSmoother.js';
import { clamp } from './logOdds.js';
import { reliabilityIn, SHIFTS } from './reliabilityIn.js';

/**
 * Probability that a claim is its source's own, given what it says: its likelihood as such against that of a
 * copy.
 */
function ownShare(right: number, reliability: number, copied: number, domain: number): number {
  if (copied === 0) return 1;
  const likelihood = right * reliability + ((1 - right) * (1 - reliability)) / (domain - 1);
  return ((1 - copied) * likelihood) / (copied + (1 - copied) * likelihood);
}

/** What one claim does to the log-odds of its source: the last fact smoothed decides how right it is. */
export class ClaimVoice {
  gradient = 0;
  curvature = 0;

  /** `logOdds`: of the claim being right, what it says itself included. */
  hear(smoother: FactSmoother, claim: number, logOdds: number, copied: number, domain: number): void {
    this.gradient = 0;
    this.curvature = 0;
    for (let kind = 0; kind < SHIFTS.length; kind += 1) {
      const share = smoother.weight(kind);
      if (share === 0) continue;
      const reliability = reliabilityIn(kind, logOdds, domain);
      const right = smoother.posteriorIn(kind, claim);
      const weight = share * ownShare(right, reliability, copied, domain);
      this.gradient += weight * (right - reliability);
      this.curvature += weight * reliability * (1 - reliability);
    }
  }
}

/**
 * By how much a claim itself has raised its source's log-odds, of which all claims determined `total`: it
 * does not vouch for itself.
 */
export function ownVoice(gradient: number, curvature: number, total: number): number {
  return clamp(gradient / (Math.max(0, total - curvature) + 1 / INTERCEPT_SPREAD ** 2), -1, 1);
}
