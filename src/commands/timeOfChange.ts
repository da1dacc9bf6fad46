/**
 * The time of a change to rows that are locked: after the changes that they have, however long the locks were
 * waited for and whichever clocks those had.
 *
 * @param before when each was changed last
 */
export function timeOfChange(now: Date, ...before: readonly string[]): Date {
  return new Date(Math.max(now.getTime(), ...before.map((time) => Date.parse(time) + 1)));
}

/** The same in an UPDATE, for the `updated_at` of its row. @param now the statement's parameter, as `$4` */
export function timeOfChangeSql(now: string): string {
  return `greatest(${now}, updated_at + interval '1 ms')`;
}
