import { MAX_TOTAL } from '../../schema/connection.js';
import type { Query } from '../database/Database.js';
import type { ReadScope } from './ReadScope.js';

/**
 * Counts a list on demand, as its app, and stops beyond `MAX_TOTAL`.
 *
 * @param rows selects the rows to count: its name, and its text without a limit
 */
export function countUpTo(
  { services, appId }: ReadScope,
  rows: Query,
  values: unknown[],
): () => Promise<number | null> {
  const query = {
    name: `${rows.name}_count`,
    text: `SELECT count(*)::integer AS count FROM (${rows.text} LIMIT ${MAX_TOTAL + 1}) counted`,
  };
  return async () => {
    const [row] = await services.database.readAs<{ count: number }>(appId, query, values);
    const count = row?.count ?? 0;
    return count > MAX_TOTAL ? null : count;
  };
}
