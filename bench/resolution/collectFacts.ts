import type { BenchFact } from './BenchFact.js';

/** For claims of sources that state neither time nor confidence. */
const UNKNOWN_TIME = '2020-01-01T00:00:00.000Z';
const UNKNOWN_CONFIDENCE = 0.9;

/** A claim as a file has it. */
interface ReadClaim {
  /** Names the fact. */
  key: string;
  attribute: string;
  value: string;
  source: string;
  /** Empty where it is unknown. */
  observedAt: string;
}

/** The cells of lines without quotes, the heading left out. */
export function rowsOf(text: string, separator: string): string[][] {
  const lines = text.split(/\r?\n/u).slice(1);
  return lines.filter((line) => line !== '').map((line) => line.split(separator));
}

/** The facts of claims, in the order of their first claims. `truths`: by the keys of facts. */
export function collectFacts(claims: readonly ReadClaim[], truths: ReadonlyMap<string, string>): BenchFact[] {
  const facts = new Map<string, BenchFact>();
  for (const [index, { key, attribute, value, source, observedAt }] of claims.entries()) {
    const fact = facts.get(key) ?? { key, attribute, claims: [], truth: truths.get(key) ?? null };
    fact.claims.push({
      id: `clm_${index}`,
      attribute,
      value,
      source,
      observedAt: observedAt === '' ? UNKNOWN_TIME : observedAt,
      sequence: index,
      confidence: UNKNOWN_CONFIDENCE,
    });
    facts.set(key, fact);
  }
  return [...facts.values()];
}
