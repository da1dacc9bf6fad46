import pg from 'pg';

/** Runs one statement over a connection of its own, and gives its rows. */
export async function execute<T>(url: string, statement: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows as T[];
  } finally {
    await client.end();
  }
}
