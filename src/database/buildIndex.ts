import type { QueryRunner } from 'typeorm';

/**
 * Builds an index of a table while others write rows, for migrations with `transaction = false` that do
 * nothing else, as a failure leaves them half done. A repeated run continues: it first drops the invalid
 * index of an interrupted build, which PostgreSQL updates and never reads.
 *
 * @param definition what follows the name in `CREATE INDEX`: `ON table (columns) WHERE …`
 */
export async function buildIndex(
  runner: QueryRunner,
  name: string,
  definition: string,
  kind: 'INDEX' | 'UNIQUE INDEX' = 'INDEX',
): Promise<void> {
  if (runner.isTransactionActive)
    throw new Error(`The migration that builds ${name} needs transaction = false.`);
  const [found] = (await runner.query(
    'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)',
    [name],
  )) as { valid: boolean }[];
  if (found?.valid === true) return;
  // The build waits for every older transaction. All others proceed meanwhile.
  const [{ bound } = { bound: '0' }] = (await runner.query(
    `SELECT current_setting('lock_timeout') AS bound`,
  )) as { bound: string }[];
  await runner.query('SET lock_timeout = 0');
  if (found !== undefined) await runner.query(`DROP INDEX CONCURRENTLY ${name}`);
  await runner.query(`CREATE ${kind} CONCURRENTLY ${name} ${definition}`);
  await runner.query(`SET lock_timeout = '${bound}'`);
}
