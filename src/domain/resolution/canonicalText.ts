import { streamSafe } from '../streamSafe.js';

/** Unicode NFKC, case-folded, trimmed and single-spaced (docs/contract.md#profiles). */
export function canonicalText(text: string): string {
  // Lower-casing first folds ẞ to ß, upper-casing that to SS. Folding can denormalise: NFKC is applied again.
  const folded = streamSafe(text, 'NFKC').toLowerCase().toUpperCase().toLowerCase();
  return streamSafe(folded, 'NFKC').replace(/\s+/gu, ' ').trim();
}
