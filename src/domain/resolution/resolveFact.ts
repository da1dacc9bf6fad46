import { MAX_RESOLVED_SOURCES } from './constants.js';
import { factModel } from './factModel.js';
import { latestPerSource } from './latestPerSource.js';
import type { AccuracySnapshot, AttributeRule, ResolutionClaim, ResolvedFact } from './types.js';
import { isUnion } from './isUnion.js';
import { uniteFact } from './uniteFact.js';
import { voteFact } from './voteFact.js';

/**
 * Resolves the fact of one customer, purpose and attribute from its live claims (at least one), in any order.
 * docs/resolution.md describes the method and its sources.
 */
export function resolveFact(
  claims: readonly ResolutionClaim[],
  accuracies: AccuracySnapshot,
  rule: AttributeRule,
  now: Date,
): ResolvedFact {
  const model = factModel(claims[0]?.attribute ?? '', accuracies, rule, now);
  const latest = latestPerSource(claims, MAX_RESOLVED_SOURCES);
  return isUnion(latest, rule) ? uniteFact(latest, model) : voteFact(latest, model);
}
