import { notFound } from '../src/errors.js';

/** Requires a found value. @throws ServiceError `not_found` */
export function found<T>(value: T | null | undefined, noun: string): T {
  if (value === null || value === undefined) throw notFound(noun);
  return value;
}
