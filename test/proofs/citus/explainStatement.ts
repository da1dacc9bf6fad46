import pg from 'pg';
import type { SentStatement } from '../../support/recordStatements.js';

/** How Citus would run a statement. */
export interface Explained {
  /** The most tasks that a part of it is split into; 0: it stays on the coordinator. */
  tasks: number;
  /** Workers that it asks. */
  nodes: number;
}

/**
 * Plans a recorded statement, and does not run it, as the app that its transaction named.
 *
 * @param client of the service's role, as row level security is part of the plan
 */
export async function explainStatement(
  client: pg.Client,
  { text, values, appId }: SentStatement,
): Promise<Explained> {
  await client.query('BEGIN');
  try {
    if (appId !== undefined) await client.query(`SET LOCAL consent.app_id = ${pg.escapeLiteral(appId)}`);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (COSTS OFF) ${await withLiterals(client, text, values)}`,
    );
    return read(rows.map((row) => row['QUERY PLAN']).join('\n'), client.port);
  } finally {
    await client.query('ROLLBACK');
    await client.query('DEALLOCATE ALL');
  }
}

/** Citus plans some statements for known values only, and does not take parameters for known in EXPLAIN. */
async function withLiterals(
  client: pg.ClientBase,
  text: string,
  values: readonly unknown[],
): Promise<string> {
  if (values.length === 0) return text;
  await client.query(`PREPARE given AS ${text}`);
  const { rows: prepared } = await client.query<{ types: string[] }>(
    `SELECT parameter_types::text[] AS types FROM pg_prepared_statements WHERE name = 'given'`,
  );
  const types = prepared[0]?.types ?? [];
  const columns = types.map((type, place) => `quote_nullable($${place + 1}::${type}::text)`);
  const { rows } = await client.query<string[]>({
    text: `SELECT ${columns.join()}`,
    values: values.slice(0, types.length),
    rowMode: 'array',
  });
  return text.replaceAll(
    /\$(\d+)/g,
    (_parameter, place) => `${rows[0]?.[Number(place) - 1]}::${types[Number(place) - 1]}`,
  );
}

function read(plan: string, coordinator: number): Explained {
  const counts = [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count));
  const ports = [...plan.matchAll(/Node: host=\S+ port=(\d+)/g)].map(([, port]) => Number(port));
  return {
    tasks: Math.max(0, ...counts),
    nodes: new Set(ports.filter((port) => port !== coordinator)).size,
  };
}
