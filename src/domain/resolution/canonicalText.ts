/** Unicode NFKC, case-folded, trimmed and single-spaced (docs/contract.md#profiles). */
export function canonicalText(text: string): string {
  // Upper-casing first folds ß to ss. Case folding can denormalise, so NFKC is applied again.
  return text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC').replace(/\s+/gu, ' ').trim();
}
