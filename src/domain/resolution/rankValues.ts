import { compareText } from './compareText.js';
import type { FactClaim } from './factClaims.js';

/** A value of a fact with the claims on it, strongest first. */
export interface RankedValue {
  group: number;
  posterior: number;
  newestDay: number;
  /** The smallest canonical form of the group. */
  canonical: string;
  claims: FactClaim[];
}

/** Weight of a claim today: its reliability, reduced by ageing and suspected copying. */
function strength(claim: FactClaim): number {
  return claim.reliability * claim.decay * (1 - claim.copied);
}

function strongestFirst(a: FactClaim, b: FactClaim): number {
  return (
    strength(b) - strength(a) ||
    b.day - a.day ||
    b.claim.sequence - a.claim.sequence ||
    compareText(a.claim.id, b.claim.id)
  );
}

/** Probabilities that differ by rounding alone are a tie. */
function rounded(posterior: number): number {
  return Math.round(posterior * 1e9);
}

/** Ties: the newest observation, then the smallest canonical value (docs/contract.md#profiles). */
function byPosterior(a: RankedValue, b: RankedValue): number {
  return rounded(b.posterior) - rounded(a.posterior) || newestFirst(a, b);
}

function newestFirst(a: RankedValue, b: RankedValue): number {
  return b.newestDay - a.newestDay || compareText(a.canonical, b.canonical);
}

/** The values of a fact, the winner first: by posterior, or for volatile attributes by newest observation. */
export function rankValues(
  claims: readonly FactClaim[],
  posteriors: readonly number[],
  order: 'posterior' | 'newest',
): RankedValue[] {
  const values = posteriors.map((posterior, group): RankedValue => {
    const members = claims.filter((claim) => claim.group === group).toSorted(strongestFirst);
    const canonicals = members.map((claim) => claim.canonical).toSorted(compareText);
    const newestDay = Math.max(...members.map((claim) => claim.day));
    return { group, posterior, newestDay, canonical: canonicals[0] ?? '', claims: members };
  });
  return values.toSorted(order === 'newest' ? newestFirst : byPosterior);
}
