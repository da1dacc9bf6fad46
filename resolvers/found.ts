import { ServiceError } from '../src/errors.js';

/** What was looked for, or the 404 in which unknown, foreign and erased cannot be told apart. */
export function found<T>(value: T | null | undefined, noun: string): T {
  if (value === null || value === undefined) throw new ServiceError('not_found', `There is no such ${noun}.`);
  return value;
}
