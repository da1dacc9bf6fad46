import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { BenchFact } from './BenchFact.js';
import { collectFacts, rowsOf } from './collectFacts.js';

/** Reads a data set (`claims.tsv.gz`, `truth.tsv`), or `null` where it is not there. */
export function readTruthDiscovery(directory: string): BenchFact[] | null {
  const claimsPath = join(directory, 'claims.tsv.gz');
  if (!existsSync(claimsPath)) return null;
  const truths = rowsOf(readFileSync(join(directory, 'truth.tsv'), 'utf8'), '\t');
  const claims = rowsOf(gunzipSync(readFileSync(claimsPath)).toString('utf8'), '\t');
  return collectFacts(
    claims.map(([object = '', attribute = '', value = '', source = '', observedAt = '']) => {
      return { key: `${object}\t${attribute}`, attribute, value, source, observedAt };
    }),
    new Map(truths.map(([object = '', attribute = '', value = '']) => [`${object}\t${attribute}`, value])),
  );
}
