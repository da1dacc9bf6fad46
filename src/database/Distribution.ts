import type pg from 'pg';
import { queryBehind } from './MessageGroup.js';

/** Whether apps' rows are on one PostgreSQL or on the nodes of a Citus cluster. */
export type Distribution = 'none' | 'citus';

const IS_CITUS = `SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL AS citus`;

/**
 * Reads the distribution from the server.
 *
 * @param answerTimeoutMs maximum wait for the answer, in milliseconds; 0: no limit
 */
export async function readDistribution(client: pg.ClientBase, answerTimeoutMs = 0): Promise<Distribution> {
  const { rows } = await queryBehind<{ citus: boolean }>(client, [], { text: IS_CITUS }, [], answerTimeoutMs);
  return rows[0]?.citus === true ? 'citus' : 'none';
}
