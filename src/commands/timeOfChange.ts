/**
 * The time of a change to rows that are locked: after the changes that they have, however long the locks were
 * waited for and whichever clocks those had.
 *
 * @param before when each was changed last
 */
export function timeOfChange(now: Date, ...before: readonly string[]): Date {
  return new Date(Math.max(now.getTime(), ...before.map((time) => Date.parse(time) + 1)));
}

/**
 * The same in an UPDATE, for the `updated_at` of its row. By UTC, as Citus refuses what depends on the
 * session's time zone, such as a time with a zone plus an interval.
 *
 * @param now the statement's parameter, as `$4`
 */
export function timeOfChangeSql(now: string): string {
  return `greatest(${now}, (updated_at AT TIME ZONE 'UTC' + interval '1 ms') AT TIME ZONE 'UTC')`;
}
