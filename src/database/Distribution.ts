import type pg from 'pg';

/** Whether the apps' rows are on one PostgreSQL, or may be on the nodes of a Citus cluster. */
export type Distribution = 'none' | 'citus';

/** What the server says of itself. */
export async function readDistribution(client: pg.ClientBase): Promise<Distribution> {
  const { rows } = await client.query<{ citus: boolean }>(
    `SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL AS citus`,
  );
  return rows[0]?.citus === true ? 'citus' : 'none';
}
