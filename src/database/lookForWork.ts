import type { Database } from './Database.js';
import { isConnectionLost } from './sqlState.js';
import { OF_ACCOUNTS, OF_OPERATORS } from './workQueue.js';

/** A query for the work of all apps. */
export interface Look {
  /** A unique name, for a prepared statement. */
  name: string;
  /** @param ofSome `''`, or a condition on `app_id`, whose list is the parameter after the query's own */
  text: (ofSome: string) => string;
  /** The text for one PostgreSQL, if another spelling is better there. */
  onePostgres?: string;
  /** As in `Query`. */
  inOrder?: boolean;
}

/** Apps of one statement while a node is lost. */
const CHUNK = 5000;

/**
 * Runs a look. On a Citus cluster it asks every node and fails with any of them. Then it asks for the apps of
 * each node separately and returns the answers of the reachable nodes.
 *
 * @throws the look's error when no node answers
 */
export async function lookForWork<T extends object>(
  database: Database,
  look: Look,
  values: unknown[],
): Promise<T[]> {
  const { name, text, onePostgres, inOrder = false } = look;
  const isSpread = await database.isDistributed();
  const whole = isSpread ? text('') : (onePostgres ?? text(''));
  try {
    return await database.read<T>({ name, text: whole, inOrder }, values);
  } catch (error) {
    if (!isSpread || !isConnectionLost(error)) throw error;
    return lookByNode<T>(database, look, values, error);
  }
}

async function lookByNode<T extends object>(
  database: Database,
  { name, text }: Look,
  values: unknown[],
  failure: unknown,
): Promise<T[]> {
  const query = { name: `${name}_of_some`, text: text(`AND app_id = ANY ($${values.length + 1})`) };
  const found: T[] = [];
  let answered = false;
  for (const { app_ids: appIds } of await database.read<{ app_ids: string[] }>(APPS_BY_NODE, [
    [OF_ACCOUNTS, OF_OPERATORS],
  ])) {
    try {
      for (let from = 0; from < appIds.length; from += CHUNK)
        found.push(...(await database.read<T>(query, [...values, appIds.slice(from, from + CHUNK)])));
      answered = true;
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
    }
  }
  if (!answered) throw failure;
  return found;
}

const APPS_BY_NODE = {
  name: 'apps_by_node',
  text: `SELECT array_agg(a.app_id) AS app_ids
           FROM (SELECT app_id FROM apps UNION ALL SELECT unnest($1::text[])) a
           JOIN pg_dist_placement p ON p.shardid = get_shard_id_for_distribution_column('work_queue',
             a.app_id)
          GROUP BY p.groupid`,
};
