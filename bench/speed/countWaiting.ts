import pg from 'pg';

/** Items that were accepted and are not applied yet, of all apps. */
export async function countWaiting(ownerUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ waiting: number }>('SELECT count(*)::int AS waiting FROM inbox');
    return rows[0]?.waiting ?? 0;
  } finally {
    await client.end();
  }
}
