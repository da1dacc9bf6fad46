/** A claim on a number; `unit`: the unit to which its source rounds, 0 if none is known. */
export interface NumberClaim {
  canonical: string;
  /** `NaN` if the text is no number; such claims agree only if their texts are equal. */
  number: number;
  unit: number;
}

interface Group {
  numbers: number[];
}

function byNumber(a: number, b: number): number {
  return a - b;
}

/** Per number: the finest unit of the sources that claim it. */
function finestUnits(claims: readonly NumberClaim[]): Map<number, number> {
  const units = new Map<number, number>();
  for (const { number, unit } of claims) {
    if (Number.isNaN(number)) continue;
    units.set(number, Math.min(unit, units.get(number) ?? Infinity));
  }
  return units;
}

/** A group holds what agrees with its smallest number, so that small steps cannot join distant numbers. */
function exactGroups(units: ReadonlyMap<number, number>, tolerance: number): Group[] {
  const groups: Group[] = [];
  for (const [number, unit] of [...units].toSorted(([a], [b]) => byNumber(a, b))) {
    if (unit > 0) continue;
    const last = groups.at(-1);
    if (last !== undefined && number - (last.numbers[0] ?? 0) <= tolerance) last.numbers.push(number);
    else groups.push({ numbers: [number] });
  }
  return groups;
}

/** The only group with a number within `reach`. If there are several, the number supports none of them. */
function rounded(groups: readonly Group[], number: number, reach: number): Group | undefined {
  const near = groups.filter(({ numbers }) =>
    numbers.some((each) => Math.abs(each - number) <= reach * (1 + 1e-9)),
  );
  return near.length === 1 ? near[0] : undefined;
}

/**
 * Groups the claims of one fact whose numbers agree by tolerance or rounding. Order does not matter.
 *
 * @returns per claim the index of its group
 */
export function groupByNumber(claims: readonly NumberClaim[], tolerance: number): number[] {
  const units = finestUnits(claims);
  const groups = exactGroups(units, tolerance);
  const coarse = [...units].filter(([, unit]) => unit > 0);
  for (const [number, unit] of coarse.toSorted((a, b) => a[1] - b[1] || byNumber(a[0], b[0]))) {
    const joined = rounded(groups, number, Math.max(unit / 2, tolerance));
    if (joined === undefined) groups.push({ numbers: [number] });
    else joined.numbers.push(number);
  }
  const places = new Map<number | string, number>();
  for (const [place, group] of groups.entries())
    for (const number of group.numbers) places.set(number, place);
  const texts = claims.filter(({ number }) => Number.isNaN(number)).map(({ canonical }) => canonical);
  for (const text of [...new Set(texts)].toSorted()) places.set(text, groups.length + places.size);
  const dense = new Map(
    [...new Set(places.values())].toSorted(byNumber).map((place, index) => [place, index]),
  );
  return claims.map(({ canonical, number }) => {
    return dense.get(places.get(Number.isNaN(number) ? canonical : number) ?? 0) ?? 0;
  });
}
