/** Powers of ten that a source may round to. */
export const [MIN_POWER, MAX_POWER] = [-6, 9] as const;

/**
 * How far a quotient may be from the whole number that it stands for, as a multiple of itself: the number is
 * a decimal that was rounded to binary, or a sum of such, and so is the quotient.
 */
const PRECISION = 2 * Number.EPSILON;

/** However large the quotient, what is farther from a whole number is none. */
const MAX_SLACK = 0.25;

function divides(power: number, number: number): boolean {
  if (power >= 0 && Number.isSafeInteger(number)) return number % 10 ** power === 0;
  // A negative power of ten is itself rounded, its inverse is not.
  const quotient = power < 0 ? number * 10 ** -power : number / 10 ** power;
  const slack = Math.min(PRECISION * Math.abs(quotient), MAX_SLACK);
  return Math.abs(quotient - Math.round(quotient)) <= slack;
}

/** The greatest power of ten that divides the number, of those from `MIN_POWER` to `MAX_POWER`. */
export function decimalPower(number: number): number {
  for (let power = MAX_POWER; power > MIN_POWER; power -= 1) if (divides(power, number)) return power;
  return MIN_POWER;
}
