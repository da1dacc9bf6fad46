import { DECIMAL } from './canonicalNumber.js';

/** The number in a canonical form, or `NaN`. */
export function numberOf(canonical: string): number {
  const number = DECIMAL.test(canonical) ? Number(canonical) : Number.NaN;
  return Number.isFinite(number) ? number : Number.NaN;
}
