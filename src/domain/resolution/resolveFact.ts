import { factModel } from './factModel.js';
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
  return isUnion(claims, rule) ? uniteFact(claims, model) : voteFact(claims, model);
}
