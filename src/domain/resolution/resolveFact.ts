import { DEFAULT_HALF_LIFE_DAYS } from './constants.js';
import type { AccuracySnapshot, AttributeRule, JsonValue, ResolutionClaim, ResolvedFact } from './types.js';
import { uniteFact } from './uniteFact.js';
import { voteFact } from './voteFact.js';

function isTextArray(value: JsonValue): boolean {
  return Array.isArray(value) && value.every((element) => typeof element === 'string');
}

function isUnion(claims: readonly ResolutionClaim[], rule: AttributeRule): boolean {
  if (rule.method !== undefined) return rule.method === 'union';
  return rule.type !== 'person_names' && claims.every(({ value }) => isTextArray(value));
}

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
