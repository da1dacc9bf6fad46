export const DEFAULT_PAGE_SIZE = 25;
export const MAX_PAGE_SIZE = 100;

/** Why a number is no valid page size, or undefined. */
export function pageSizeProblem(size: number): string | undefined {
  const fine = Number.isInteger(size) && size >= 1 && size <= MAX_PAGE_SIZE;
  return fine ? undefined : `must be an integer from 1 to ${MAX_PAGE_SIZE}`;
}
