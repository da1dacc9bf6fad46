import { DAY_MS } from '../timestamp.js';
import type { AccuracyIndex } from './accuracyIndex.js';
import { claimLogOdds, claimReliability } from './claimLogOdds.js';
import type { ComparedClaim } from './compareClaims.js';
import { compareText } from './compareText.js';
import type { FactModel } from './factModel.js';
import { retention } from './truthFilter.js';
import type { FilterClaim } from './truthFilter.js';
import type { ResolutionClaim } from './types.js';

/** A claim with everything that the resolution of its fact uses. */
export interface FactClaim extends ComparedClaim, FilterClaim {
  sourceAccuracy: number;
  /** Probability that it was right when observed, before the other claims are considered. */
  reliability: number;
  decay: number;
  copyOf: ResolutionClaim | null;
}

/** Effects to leave out, to find which one decided. */
export interface Ignored {
  copying?: boolean;
  accuracy?: boolean;
}

function inOrderOfObservation(a: FactClaim, b: FactClaim): number {
  return a.day - b.day || compareText(a.claim.source, b.claim.source);
}

/** Originals first: of claims on the same value the earliest, then the most reliable. */
function inOrderOfOrigin(a: FactClaim, b: FactClaim): number {
  return a.day - b.day || b.logOdds - a.logOdds || compareText(a.claim.source, b.claim.source);
}

function markCopies(claims: readonly FactClaim[], index: AccuracyIndex): void {
  const suspects = claims.filter(({ claim }) => index.isSuspect(claim.source)).toSorted(inOrderOfOrigin);
  for (const [position, copier] of suspects.entries()) {
    let likeliest = 0;
    for (const original of suspects.slice(0, position)) {
      if (original.group !== copier.group) continue;
      const copy = index.copy(copier.claim.source, original.claim.source, copier.claim.attribute);
      const probability = copy === undefined ? 0 : copy.probability * copy.rate;
      copier.copied = 1 - (1 - copier.copied) * (1 - probability);
      if (probability > likeliest) {
        likeliest = probability;
        copier.copyOf = original.claim;
      }
    }
  }
}

/** Number of plausible values of a fact. */
export function domainOf(claims: readonly FactClaim[], model: FactModel): number {
  const groups = claims.reduce((most, claim) => Math.max(most, claim.group + 1), 0);
  return Math.max(2, groups, model.index.domain(claims[0]?.claim.attribute ?? ''));
}

/** One claim per source, in order of observation. */
export function factClaims(
  compared: readonly ComparedClaim[],
  model: FactModel,
  ignored: Ignored = {},
): FactClaim[] {
  const { snapshot, index, now } = model;
  const today = now.getTime() / DAY_MS;
  const facts = compared.map(({ claim, canonical, group, day, unit }): FactClaim => {
    const source = ignored.accuracy === true ? undefined : index.source(claim.source);
    const known = source ?? snapshot.unknownSource;
    const offset = source === undefined ? 0 : index.offset(claim.source, claim.attribute);
    return {
      claim,
      canonical,
      group,
      day,
      unit,
      sourceAccuracy: known.accuracy,
      logOdds: claimLogOdds(known, claim.confidence) + offset,
      reliability: 0,
      decay: retention(Math.max(0, today - day), model.halfLifeDays),
      copied: 0,
      copyOf: null,
    };
  });
  const domain = domainOf(facts, model);
  for (const fact of facts) fact.reliability = claimReliability(fact.logOdds, index.hardShare, domain);
  if (ignored.copying !== true) markCopies(facts, index);
  return facts.toSorted(inOrderOfObservation);
}
