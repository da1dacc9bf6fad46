/** A claim on a number: the group of claims that agree with it; `unit`: to which its source rounds. */
export interface PlacedClaim {
  group: number;
  /** `NaN` if it is none. */
  number: number;
  unit: number;
}

/** Farther from 0, steps cannot be told apart. */
const FARTHEST = 2 ** 52;

/**
 * Per group its number in steps: that of the claim with the finest unit, the smallest of several. `NaN` if it
 * has none, or one beyond all others.
 */
export function groupPlaces(claims: readonly PlacedClaim[], groups: number, step: number): Float64Array {
  const units = new Float64Array(groups).fill(Infinity);
  const places = new Float64Array(groups).fill(Number.NaN);
  for (const { group, number, unit } of claims) {
    const finest = units[group] ?? 0;
    const place = number / step;
    if (unit > finest || (unit === finest && place >= (places[group] ?? 0))) continue;
    units[group] = unit;
    places[group] = Math.abs(place) < FARTHEST ? place : Number.NaN;
  }
  return places;
}
