import { groupBy } from '../groupBy.js';
import { compareText } from './compareText.js';
import type { ResolutionClaim } from './types.js';

function isLater(a: ResolutionClaim, b: ResolutionClaim): boolean {
  const difference = Date.parse(a.observedAt) - Date.parse(b.observedAt);
  return difference === 0 ? a.sequence > b.sequence : difference > 0;
}

function laterOf(a: ResolutionClaim, b: ResolutionClaim): ResolutionClaim {
  return isLater(b, a) ? b : a;
}

function newestFirst(a: ResolutionClaim, b: ResolutionClaim): number {
  return Date.parse(b.observedAt) - Date.parse(a.observedAt) || compareText(a.source, b.source);
}

/**
 * The latest claim of each source, by observation, then by sequence (docs/contract.md#profiles).
 *
 * @param most if there are more sources, those with the newest claims are kept
 */
export function latestPerSource(claims: readonly ResolutionClaim[], most: number): ResolutionClaim[] {
  const latest = new Map<string, ResolutionClaim>();
  for (const claim of claims) {
    const known = latest.get(claim.source);
    if (known === undefined || isLater(claim, known)) latest.set(claim.source, claim);
  }
  if (latest.size <= most) return [...latest.values()];
  return [...latest.values()].toSorted(newestFirst).slice(0, most);
}

/**
 * For each source with claims of several moments: its latest claim, and the latest one of an earlier moment.
 * What it says again of the same moment tells nothing of how long its values last.
 */
export function repeatsPerSource(claims: readonly ResolutionClaim[]): [ResolutionClaim, ResolutionClaim][] {
  return [...groupBy(claims, ({ source }) => source).values()].flatMap(
    (own): [ResolutionClaim, ResolutionClaim][] => {
      if (own.length < 2) return [];
      const latest = own.reduce(laterOf);
      const moment = Date.parse(latest.observedAt);
      const earlier = own.filter(({ observedAt }) => Date.parse(observedAt) < moment);
      return earlier.length === 0 ? [] : [[latest, earlier.reduce(laterOf)]];
    },
  );
}
