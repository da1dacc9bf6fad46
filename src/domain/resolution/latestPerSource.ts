import type { ResolutionClaim } from './types.js';

function isLater(a: ResolutionClaim, b: ResolutionClaim): boolean {
  const difference = Date.parse(a.observedAt) - Date.parse(b.observedAt);
  return difference === 0 ? a.sequence > b.sequence : difference > 0;
}

/** Repeats by one source count once: its latest claim by observation, then by sequence (decisions 12). */
export function latestPerSource(claims: readonly ResolutionClaim[]): ResolutionClaim[] {
  const latest = new Map<string, ResolutionClaim>();
  for (const claim of claims) {
    const known = latest.get(claim.source);
    if (known === undefined || isLater(claim, known)) latest.set(claim.source, claim);
  }
  return [...latest.values()];
}
