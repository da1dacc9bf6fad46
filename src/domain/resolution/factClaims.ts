import type { AccuracyIndex } from './accuracyIndex.js';
import { canonicalValue } from './canonicalValue.js';
import { claimReliability } from './claimReliability.js';
import { compareText } from './compareText.js';
import { MAX_RESOLVED_SOURCES } from './constants.js';
import { groupValues } from './groupValues.js';
import { latestPerSource } from './latestPerSource.js';
import { retention } from './truthFilter.js';
import type { FilterClaim } from './truthFilter.js';
import type { AccuracySnapshot, AttributeRule, ResolutionClaim } from './types.js';

const MILLISECONDS_PER_DAY = 86_400_000;

/** A claim with all that the resolution of its fact needs to know of it. */
export interface FactClaim extends FilterClaim {
  claim: ResolutionClaim;
  canonical: string;
  sourceAccuracy: number;
  decay: number;
  copyOf: ResolutionClaim | null;
}

/** Which effects are left out, to see what decided. */
export interface Ignored {
  copying?: boolean;
  accuracy?: boolean;
}

function inOrderOfObservation(a: FactClaim, b: FactClaim): number {
  return a.day - b.day || compareText(a.claim.source, b.claim.source);
}

/** Of claims on the same value, the earliest and then the most reliable is taken for the original. */
function inOrderOfOrigin(a: FactClaim, b: FactClaim): number {
  return a.day - b.day || b.reliability - a.reliability || compareText(a.claim.source, b.claim.source);
}

function markCopies(claims: readonly FactClaim[], index: AccuracyIndex): void {
  const suspects = claims.filter(({ claim }) => index.isSuspect(claim.source)).toSorted(inOrderOfOrigin);
  for (const [position, copier] of suspects.entries()) {
    let likeliest = 0;
    for (const original of suspects.slice(0, position)) {
      if (original.group !== copier.group) continue;
      const copy = index.copy(copier.claim.source, original.claim.source);
      const probability = copy === undefined ? 0 : copy.probability * copy.rate;
      copier.copied = 1 - (1 - copier.copied) * (1 - probability);
      if (probability > likeliest) {
        likeliest = probability;
        copier.copyOf = original.claim;
      }
    }
  }
}

/** One claim per source, in order of observation. */
export function factClaims(
  claims: readonly ResolutionClaim[],
  snapshot: AccuracySnapshot,
  index: AccuracyIndex,
  rule: AttributeRule & { halfLifeDays: number },
  now: Date,
  ignored: Ignored = {},
): FactClaim[] {
  const latest = latestPerSource(claims, MAX_RESOLVED_SOURCES);
  const canonicals = latest.map((claim) => claim.canonical ?? canonicalValue(claim.value, rule));
  const groups = groupValues(canonicals, rule);
  const today = now.getTime() / MILLISECONDS_PER_DAY;
  const facts = latest.map((claim, position): FactClaim => {
    const canonical = canonicals[position] ?? '';
    const source = ignored.accuracy === true ? undefined : index.source(claim.source);
    const known = source ?? snapshot.unknownSource;
    const day = Math.min(Date.parse(claim.observedAt) / MILLISECONDS_PER_DAY, today);
    return {
      claim,
      canonical,
      group: groups.get(canonical) ?? 0,
      day,
      sourceAccuracy: known.accuracy,
      reliability: claimReliability(known, claim.confidence),
      decay: retention(today - day, rule.halfLifeDays),
      copied: 0,
      copyOf: null,
    };
  });
  if (ignored.copying !== true) markCopies(facts, index);
  return facts.toSorted(inOrderOfObservation);
}
