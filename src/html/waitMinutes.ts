/** A wait in whole minutes, rounded up: what a person is told. */
export function waitMinutes(seconds: number): number {
  return Math.max(1, Math.ceil(seconds / 60));
}
