/** Unicode NFKC, case-folded, trimmed and single-spaced (docs/contract.md#profiles). */
export function canonicalText(text: string): string {
  // Upper then lower folds what lower-casing alone keeps apart (ß and ss); folding can denormalise, hence
  // NFKC again.
  return text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC').replace(/\s+/gu, ' ').trim();
}
