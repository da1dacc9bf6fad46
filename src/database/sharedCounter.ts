import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Database } from './Database.js';

/** How many points a key has within a window. */
export interface CounterRule {
  name: string;
  points: number;
  windowSeconds: number;
}

interface Statement {
  name: string;
  text: string;
  values: unknown[];
}

/**
 * Counts in PostgreSQL, so that a limit holds over all nodes. Its statements go the service's own way:
 * bounded, urgent where the caller is, and named only where connections keep them prepared.
 */
export function sharedCounter(
  database: Pick<Database, 'read'>,
  { name, points, windowSeconds }: CounterRule,
): RateLimiterPostgres {
  const query = async (statement: Statement): Promise<object> => {
    const rows = await database.read({ name: statement.name, text: statement.text }, statement.values);
    return { rows, rowCount: rows.length };
  };
  return new RateLimiterPostgres({
    storeClient: { query },
    storeType: 'client',
    tableName: 'throttles',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: name,
    points,
    duration: windowSeconds,
  });
}
