import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Database } from './Database.js';

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
 * Counts in PostgreSQL, so that a limit holds over all nodes. Its statements use the service's own
 * connections: bounded, urgent if the caller is, and named only where connections keep prepared statements.
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
