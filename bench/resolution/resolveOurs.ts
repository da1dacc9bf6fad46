import { attributeRule } from '../../src/domain/resolution/attributeRule.js';
import type { AttributeRegistry } from '../../src/domain/resolution/attributeRule.js';
import { canonicalValue } from '../../src/domain/resolution/canonicalValue.js';
import { resolveFact } from '../../src/domain/resolution/resolveFact.js';
import type { AccuracySnapshot } from '../../src/domain/resolution/types.js';
import { learnAccuracies } from '../../test/support/learnAccuracies.js';
import type { Answer, BenchFact } from './BenchFact.js';

export function learn(facts: readonly BenchFact[], registry: AttributeRegistry): AccuracySnapshot {
  return learnAccuracies(facts, registry, 1);
}

/** Resolves each fact with what was learned. */
export function resolveOursWith(
  snapshot: AccuracySnapshot,
  facts: readonly BenchFact[],
  registry: AttributeRegistry,
  now: Date,
): Answer[] {
  return facts.map((fact) => {
    const rule = attributeRule(registry, fact.attribute);
    const resolved = resolveFact(fact.claims, snapshot, rule, now);
    return { value: canonicalValue(resolved.resolvedValue, rule), confidence: resolved.confidence };
  });
}

/** Learns from the facts without their truth, then resolves each. */
export function resolveOurs(facts: readonly BenchFact[], registry: AttributeRegistry, now: Date): Answer[] {
  return resolveOursWith(learn(facts, registry), facts, registry, now);
}
