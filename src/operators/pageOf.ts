import type { Database, Query, Row } from '../database/Database.js';
import type { JsonObject, JsonValue } from '../domain/jsonValue.js';
import type { Given } from './OperatorAction.js';
import { limitOf } from './readGiven.js';

/**
 * Reads a page of a list.
 *
 * @param values those of the statement before its last two: after which key, and how many rows
 */
export async function readPage(
  database: Database,
  query: Query,
  values: readonly unknown[],
  given: Given,
  key: string,
): Promise<JsonObject> {
  const limit = limitOf(given);
  const rows = await database.read(query, [...values, given['after'] ?? null, limit + 1]);
  return pageOf(rows, limit, key);
}

/**
 * A page of rows, and the key after which the next page begins; null on the last page.
 *
 * @param rows one more than `limit`, if there are more
 */
export function pageOf(rows: readonly Row[], limit: number, key: string): JsonObject {
  const data = rows.slice(0, limit) as JsonObject[];
  const last: JsonValue | undefined = data.at(-1)?.[key];
  return { data, next: rows.length > limit && typeof last === 'string' ? last : null };
}

/** The parameters of every list. */
export const PAGE_PARAMETERS = [
  { name: 'limit', says: 'most rows, 1 to 1000 (100)' },
  { name: 'after', says: 'the "next" of the page before' },
];
