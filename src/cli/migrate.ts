import { configFrom, ConfigError } from '../config.js';
import { createLog } from '../createLog.js';
import { openDatabase } from '../database/openDatabase.js';
import { latestMigration } from '../database/latestMigration.js';
import { StartFailure } from '../database/StartFailure.js';
import { keptSecrets } from '../keptSecrets.js';

/**
 * `npm run migrate`: brings the database to this version, and ends. Safe to run twice and beside running
 * gateways.
 */
async function main(): Promise<void> {
  const { env } = process;
  const kept = env['NODE_ENV'] === 'production' ? undefined : await keptSecrets(env['DATA_DIR'] ?? '.data');
  const config = configFrom({ ...env, MIGRATIONS: 'start' }, kept);
  const opened = await openDatabase(config, createLog(config.logLevel));
  await opened.stop();
  console.log(`The database is at ${latestMigration()}.`);
}

try {
  await main();
} catch (error) {
  const isTold = error instanceof ConfigError || error instanceof StartFailure;
  console.error(isTold ? error.message : error);
  process.exitCode = 1;
}
