import pg from 'pg';
import { primaryUrl } from '../hosts/primaryUrl.js';
import { StartFailure } from '../StartFailure.js';
import { REFERENCES, SPREAD_TABLES } from './spread.js';

/**
 * Databases that speak PostgreSQL's protocol and spread rows in ways that nobody has tried this service on.
 */
const STRANGERS = /YugabyteDB|-YB-|CockroachDB|Greenplum|Redshift|DSQL/i;

interface Found {
  version: string;
  citus: boolean;
}

interface Spread {
  spread: number;
  missing: string[];
  open: string[];
  propagated: string;
}

/**
 * Refuses a distributed database on which statements would fail or, worse, find nothing.
 *
 * @throws StartFailure naming what to do
 */
export async function refuseUnfitDistribution(serviceUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: await primaryUrl(serviceUrl) });
  await client.connect();
  try {
    const [found] = (await client.query<Found>(WHAT)).rows;
    if (found !== undefined && STRANGERS.test(found.version))
      throw new StartFailure(
        `DATABASE_URL: the service runs on PostgreSQL and on Citus, and not on ${found.version}.`,
      );
    if (found?.citus !== true) return;
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

const WHAT = `SELECT version(), to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL AS citus`;

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
