import type { JsonObject, JsonValue } from '../domain/jsonValue.js';

/**
 * A page of rows, and the key after which the next page begins; null on the last page.
 *
 * @param rows one more than `limit`, if there are more
 */
export function pageOf(rows: readonly Record<string, unknown>[], limit: number, key: string): JsonObject {
  const data = rows.slice(0, limit) as JsonObject[];
  const last: JsonValue | undefined = data.at(-1)?.[key];
  return { data, next: rows.length > limit && typeof last === 'string' ? last : null };
}

/** The parameters of every list. */
export const PAGE_PARAMETERS = [
  { name: 'limit', says: 'most rows, 1 to 1000 (100)' },
  { name: 'after', says: 'the "next" of the page before' },
];
