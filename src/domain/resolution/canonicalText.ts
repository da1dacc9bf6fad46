/** Unicode NFKC, case-folded, trimmed and single-spaced (docs/contract.md#profiles). */
export function canonicalText(text: string): string {
  // Lower-casing first folds ẞ to ß, upper-casing that to SS. Folding can denormalise: NFKC is applied again.
  const folded = text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
  return folded.replace(/\s+/gu, ' ').trim();
}
