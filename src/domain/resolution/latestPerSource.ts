import { groupBy } from '../groupBy.js';
import type { ResolutionClaim } from './types.js';

/** By observation, then by sequence: the order of `LATEST_PER_SOURCE`, whatever the database's collation. */
function newestFirst(a: ResolutionClaim, b: ResolutionClaim): number {
  return Date.parse(b.observedAt) - Date.parse(a.observedAt) || b.sequence - a.sequence;
}

function laterOf(a: ResolutionClaim, b: ResolutionClaim): ResolutionClaim {
  return newestFirst(b, a) < 0 ? b : a;
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
    latest.set(claim.source, known === undefined ? claim : laterOf(known, claim));
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
