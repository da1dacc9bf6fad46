import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { BenchFact } from './BenchFact.js';

/** Sources of the two sets state neither time nor confidence. */
const UNKNOWN_TIME = '2020-01-01T00:00:00.000Z';
const UNKNOWN_CONFIDENCE = 0.9;

function rows(text: string): string[][] {
  return text
    .split('\n')
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => line.split('\t'));
}

/** Reads a data set (`claims.tsv.gz`, `truth.tsv`), or `null` where it is not there. */
export function readTruthDiscovery(directory: string): BenchFact[] | null {
  const claimsPath = join(directory, 'claims.tsv.gz');
  if (!existsSync(claimsPath)) return null;
  const truths = new Map<string, string>();
  for (const [object = '', attribute = '', value = ''] of rows(
    readFileSync(join(directory, 'truth.tsv'), 'utf8'),
  )) {
    truths.set(`${object}\t${attribute}`, value);
  }
  const facts = new Map<string, BenchFact>();
  const claims = rows(gunzipSync(readFileSync(claimsPath)).toString('utf8'));
  for (const [
    index,
    [object = '', attribute = '', value = '', source = '', observedAt = ''],
  ] of claims.entries()) {
    const key = `${object}\t${attribute}`;
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
