import { factModel } from './factModel.js';
import type { AccuracySnapshot, AttributeRule, ResolutionClaim, ResolvedFact } from './types.js';
import { isUnion } from './isUnion.js';
import { uniteFact } from './uniteFact.js';
import { voteFact } from './voteFact.js';

/**
 * Makes the fact of one customer, purpose and attribute out of its live claims (at least one). A function of
 * the set of claims, whatever their order; the method and its sources are told in docs/resolution.md.
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
