import pg from 'pg';

/** Runs SQL over a connection of its own. @returns the rows, when it is one statement */
export async function execute<T>(
  url: string,
  statement: string,
  connectionTimeoutMillis = 60_000,
): Promise<T[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis });
  // A connection that breaks in the middle also raises 'error', which unheard would end the test run.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(statement)).rows as T[];
  } finally {
    await client.end().catch(() => undefined);
  }
}
