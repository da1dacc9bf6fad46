import { canonicalValue } from '../../src/domain/resolution/canonicalValue.js';
import { groupValues } from '../../src/domain/resolution/groupValues.js';
import { latestPerSource } from '../../src/domain/resolution/latestPerSource.js';
import type { AttributeRule } from '../../src/domain/resolution/types.js';
import type { BenchFact } from './BenchFact.js';

/**
 * A fact as the baselines see it: the same claims, canonical forms and groups as ours, so that only the
 * method differs.
 */
export interface PreparedFact {
  attribute: string;
  /** One text per group: its commonest canonical form. */
  values: string[];
  claims: { source: string; group: number; confidence: number; at: number; sequence: number }[];
}

function commonest(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0] ?? '';
}

export function prepareFact(fact: BenchFact, rule: AttributeRule): PreparedFact {
  const latest = latestPerSource(fact.claims, Infinity);
  const canonicals = latest.map((claim) => canonicalValue(claim.value, rule));
  const groups = groupValues(canonicals, rule);
  const claims = latest.map((claim, index) => ({
    source: claim.source,
    group: groups.get(canonicals[index] ?? '') ?? 0,
    confidence: claim.confidence,
    at: Date.parse(claim.observedAt),
    sequence: claim.sequence,
  }));
  const values = Array.from({ length: new Set(groups.values()).size }, (_, group) =>
    commonest(canonicals.filter((canonical) => groups.get(canonical) === group)),
  );
  return { attribute: fact.attribute, values, claims };
}
