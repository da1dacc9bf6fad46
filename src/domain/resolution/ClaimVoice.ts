import { INTERCEPT_SPREAD } from './constants.js';
import type { FactSmoother } from './FactSmoother.js';
import { clamp } from './logOdds.js';
import { reliabilityIn, SHIFTS } from './reliabilityIn.js';

/**
 * Posterior probability that a claim is its source's own and not a copy. Its value is right with probability
 * `right`, or else what a wrong claim is of with probability `miss`.
 */
function ownShare(right: number, reliability: number, copied: number, miss: number): number {
  const likelihood = right * reliability + (1 - reliability) * miss;
  return ((1 - copied) * likelihood) / (copied + (1 - copied) * likelihood);
}

/** Gradient and curvature that one claim adds to its source's log-odds, by the fact last smoothed. */
export class ClaimVoice {
  gradient = 0;
  curvature = 0;

  /** `logOdds`: log-odds that the claim is right, its own effect on its source included. */
  hear(smoother: FactSmoother, claim: number, logOdds: number, copied: number, domain: number): void {
    this.gradient = 0;
    this.curvature = 0;
    for (let kind = 0; kind < SHIFTS.length; kind += 1) {
      const share = smoother.weight(kind);
      if (share === 0) continue;
      const reliability = reliabilityIn(kind, logOdds, domain);
      const right = smoother.posteriorIn(kind, claim);
      const isOwn = copied === 0 ? 1 : ownShare(right, reliability, copied, smoother.missIn(kind, claim));
      const weight = share * isOwn;
      this.gradient += weight * (right - reliability);
      this.curvature += weight * reliability * (1 - reliability);
    }
  }
}

/**
 * How much the claim itself has raised the log-odds of its source; `total`: curvature of all claims of the
 * source. Callers subtract the result, so that a claim does not support itself.
 */
export function ownVoice(gradient: number, curvature: number, total: number): number {
  return clamp(gradient / (Math.max(0, total - curvature) + 1 / INTERCEPT_SPREAD ** 2), -1, 1);
}
