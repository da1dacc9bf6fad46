import pg from 'pg';
import { readDistribution } from '../Distribution.js';
import { primaryUrl } from '../hosts/primaryUrl.js';
import { StartFailure } from '../StartFailure.js';
import { REFERENCES, SPREAD_TABLES } from './spread.js';

interface Spread {
  spread: number;
  missing: string[];
  open: string[];
  propagated: string;
}

/**
 * Refuses a distributed database on which statements would fail or miss rows.
 *
 * @throws StartFailure naming what to do
 */
export async function refuseUnfitDistribution(serviceUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: await primaryUrl(serviceUrl) });
  client.on('error', () => undefined);
  await client.connect();
  try {
    if ((await readDistribution(client)) !== 'citus') return;
    const [spread] = (await client.query<Spread>(HOW, [REFERENCES])).rows;
    const problem = spread && problemOf(spread);
    if (problem !== undefined)
      throw new StartFailure(`DATABASE_URL: ${problem} Run npm run distribute (docs/operations.md).`);
  } finally {
    await client.end();
  }
}

function problemOf({ spread, missing, open, propagated }: Spread): string | undefined {
  if (spread === 0) return undefined;
  if (missing.length > 0) return `the database is distributed, but not these tables: ${missing.join(', ')}.`;
  if (open.length > 0)
    return `a node that was not told the app would show nothing, silently, of: ${open.join(', ')}.`;
  if (propagated !== 'local')
    return 'citus.propagate_set_commands is not local, so workers would not be told the app.';
  return undefined;
}

const HOW = `
  WITH wanted AS (
    SELECT name::regclass AS id, 'h' AS method FROM (${SPREAD_TABLES}) s
    UNION ALL SELECT name::regclass, 'n' FROM unnest($1::text[]) AS name
  )
  SELECT count(p.logicalrelid)::integer AS spread,
         coalesce(array_agg(w.id::text) FILTER (WHERE p.logicalrelid IS NULL), '{}') AS missing,
         coalesce(array_agg(w.id::text) FILTER (WHERE w.method = 'h' AND NOT EXISTS (
           SELECT FROM pg_policies o WHERE o.tablename = w.id::text
             AND o.policyname IN (o.tablename || '_named', o.tablename || '_service'))),
           '{}') AS open,
         current_setting('citus.propagate_set_commands') AS propagated
    FROM wanted w LEFT JOIN pg_dist_partition p ON p.logicalrelid = w.id AND p.partmethod = w.method`;
