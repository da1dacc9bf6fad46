/** The number in a canonical form, or `NaN`. */
export function numberOf(canonical: string): number {
  const number = canonical === '' ? Number.NaN : Number(canonical);
  return Number.isFinite(number) ? number : Number.NaN;
}
