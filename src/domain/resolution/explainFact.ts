import { MAX_SHARES } from './constants.js';
import type { Trace } from './estimateFact.js';
import type { FactClaim } from './factClaims.js';
import type { FactModel } from './factModel.js';
import { logit } from './logOdds.js';
import type { ClaimShare, FactExplanation } from './types.js';

function shareOf(claim: FactClaim, logOdds: number, supports: boolean): ClaimShare {
  return {
    claimId: claim.claim.id,
    source: claim.claim.source,
    supports,
    logOdds,
    sourceAccuracy: claim.sourceAccuracy,
    reliability: claim.reliability,
    decay: claim.decay,
    copying: claim.copyOf === null ? null : { of: claim.copyOf.source, probability: claim.copied },
  };
}

function strongest(shares: readonly ClaimShare[]): ClaimShare[] {
  if (shares.length <= MAX_SHARES) return [...shares];
  const kept = new Set(
    shares.toSorted((a, b) => Math.abs(b.logOdds) - Math.abs(a.logOdds)).slice(0, MAX_SHARES),
  );
  return shares.filter((share) => kept.has(share));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/**
 * The terms of a fact's log-odds; they add up to the log-odds of `confidence`.
 *
 * @param ageless the confidence there would be if the value never changed
 */
export function explainFact(
  claims: readonly FactClaim[],
  trace: Trace,
  confidence: number,
  ageless: number,
  supports: (claim: FactClaim) => boolean,
  { snapshot, halfLifeDays, halfLifeOrigin }: FactModel,
): FactExplanation {
  const all = claims.map((claim, index) => shareOf(claim, trace.shares[index] ?? 0, supports(claim)));
  const shares = strongest(all);
  const total = sum(trace.shares);
  const logOdds = logit(confidence);
  return {
    logOdds,
    prior: trace.prior,
    change: trace.change,
    calibration: trace.calibration,
    normalisation: logOdds - trace.prior - trace.change - trace.calibration - total,
    shares,
    omitted: shares.length === all.length ? 0 : total - sum(shares.map((share) => share.logOdds)),
    age: {
      halfLifeDays: halfLifeDays === Infinity ? null : halfLifeDays,
      origin: halfLifeOrigin,
      confidenceWithout: ageless,
    },
    model: snapshot.model,
    accuracyVersion: snapshot.version,
  };
}
