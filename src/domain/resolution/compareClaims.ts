import { DAY_MS } from '../timestamp.js';
import { canonicalValue } from './canonicalValue.js';
import type { FactModel } from './factModel.js';
import { groupClaims } from './groupClaims.js';
import type { ResolutionClaim } from './types.js';

/** A claim, and the group of claims on its fact that agree with it. */
export interface ComparedClaim {
  claim: ResolutionClaim;
  canonical: string;
  /** Index of the claimed value among the fact's distinct values. */
  group: number;
  /** When it was observed, in days since 1970; ahead of today where the observer's clock is. */
  day: number;
  /** Unit to which its source rounds numbers of the attribute; 0: none known. */
  unit: number;
}

/** Groups claims by value, one of each source. Source accuracies do not affect the result. */
export function compareClaims(latest: readonly ResolutionClaim[], model: FactModel): ComparedClaim[] {
  const { index, rule } = model;
  const canonicals = latest.map((claim) => claim.canonical ?? canonicalValue(claim.value, rule));
  const groups = groupClaims(latest, canonicals, model);
  return latest.map((claim, position) => ({
    claim,
    canonical: canonicals[position] ?? '',
    group: groups[position] ?? 0,
    day: Date.parse(claim.observedAt) / DAY_MS,
    unit: index.unit(claim.source, claim.attribute),
  }));
}
