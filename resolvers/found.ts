import { notFound } from '../src/errors.js';

/** What was looked for. @throws ServiceError `not_found` */
export function found<T>(value: T | null | undefined, noun: string): T {
  if (value === null || value === undefined) throw notFound(noun);
  return value;
}
