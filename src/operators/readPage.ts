import type { Row } from '../database/Row.js';
import type { JsonObject, JsonValue } from '../domain/jsonValue.js';
import { validationFailed } from '../errors.js';
import type { Given } from './OperatorAction.js';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;

/**
 * Reads a page of a list, with the key after which the next page begins; null on the last page.
 *
 * @param read at most so many rows after a key, in the order of the keys
 * @throws ServiceError `validation_failed` when the limit is none
 */
export async function readPage(
  given: Given,
  key: string,
  read: (after: string | null, limit: number) => Promise<readonly Row[]>,
): Promise<JsonObject> {
  const limit = limitOf(given);
  const rows = await read(given['after'] ?? null, limit + 1);
  const data = rows.slice(0, limit) as JsonObject[];
  const last: JsonValue | undefined = data.at(-1)?.[key];
  return { data, next: rows.length > limit && typeof last === 'string' ? last : null };
}

function limitOf({ limit }: Given): number {
  if (limit === undefined) return DEFAULT_LIMIT;
  const number = Number(limit);
  if (Number.isInteger(number) && number >= 1 && number <= MAX_LIMIT) return number;
  const message = `must be a whole number from 1 to ${MAX_LIMIT}`;
  throw validationFailed([{ code: 'out_of_range', message, field: 'limit' }]);
}

/** The parameters of every list. */
export const PAGE_PARAMETERS = [
  { name: 'limit', says: 'most rows, 1 to 1000 (100)' },
  { name: 'after', says: 'the "next" of the page before' },
];
