import { DEFAULT_HALF_LIFE_DAYS } from './constants.js';
import type { AccuracySnapshot, AttributeRule, ResolutionClaim, ResolvedFact } from './types.js';
import { isUnion } from './isUnion.js';
import { uniteFact } from './uniteFact.js';
import { voteFact } from './voteFact.js';

/**
 * Makes the fact of one customer, purpose and attribute out of its live claims (at least one). A function of the set of claims,
 * whatever their order; the method and its sources are told in docs/resolution.md.
 */
export function resolveFact(
  claims: readonly ResolutionClaim[],
  accuracies: AccuracySnapshot,
  rule: AttributeRule,
  now: Date,
): ResolvedFact {
  const complete = { ...rule, halfLifeDays: rule.halfLifeDays ?? DEFAULT_HALF_LIFE_DAYS };
  return isUnion(claims, rule)
    ? uniteFact(claims, accuracies, complete, now)
    : voteFact(claims, accuracies, complete, now);
}
