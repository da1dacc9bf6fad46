import pg from 'pg';

/**
 * Leaves a database as it is in the long run after many rows were written, so that nothing of that is
 * measured.
 */
export async function vacuum(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query('VACUUM (FREEZE, ANALYZE)');
    await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
}
