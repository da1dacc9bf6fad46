import { DAY_MS } from '../timestamp.js';
import { canonicalValue } from './canonicalValue.js';
import { MAX_RESOLVED_SOURCES } from './constants.js';
import type { FactModel } from './factModel.js';
import { groupClaims } from './groupClaims.js';
import { latestPerSource } from './latestPerSource.js';
import type { ResolutionClaim } from './types.js';

/** A claim, and the group of claims on its fact that agree with it. */
export interface ComparedClaim {
  claim: ResolutionClaim;
  canonical: string;
  /** Index of the claimed value among the fact's distinct values. */
  group: number;
  /** Days since 1970; no later than today. */
  day: number;
  /** Unit to which its source rounds numbers of the attribute; 0: none known. */
  unit: number;
}

/** The latest claim of each source, grouped by value. Source accuracies do not affect the result. */
export function compareClaims(claims: readonly ResolutionClaim[], model: FactModel): ComparedClaim[] {
  const { index, rule, now } = model;
  const latest = latestPerSource(claims, MAX_RESOLVED_SOURCES);
  const canonicals = latest.map((claim) => claim.canonical ?? canonicalValue(claim.value, rule));
  const groups = groupClaims(latest, canonicals, model);
  const today = now.getTime() / DAY_MS;
  return latest.map((claim, position) => ({
    claim,
    canonical: canonicals[position] ?? '',
    group: groups[position] ?? 0,
    day: Math.min(Date.parse(claim.observedAt) / DAY_MS, today),
    unit: index.unit(claim.source, claim.attribute),
  }));
}
