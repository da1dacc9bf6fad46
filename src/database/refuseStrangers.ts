import pg from 'pg';
import { StartFailure } from './StartFailure.js';

/** Databases with PostgreSQL's protocol on which this service is untested. */
const STRANGERS = /YugabyteDB|-YB-|CockroachDB|Greenplum|Redshift|DSQL/i;

/**
 * Refuses a database that is not PostgreSQL, by its version text, before anything is created in it.
 *
 * @throws StartFailure naming what it is
 */
export async function refuseStrangers(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const [row] = (await client.query<{ version: string }>('SELECT version()')).rows;
    if (row !== undefined && STRANGERS.test(row.version))
      throw new StartFailure(
        `DATABASE_URL: the service runs on PostgreSQL and on Citus, and not on ${row.version}.`,
      );
  } finally {
    await client.end();
  }
}
