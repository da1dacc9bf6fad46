import { distribute } from '../database/citus/distribute.js';
import { StartFailure } from '../database/StartFailure.js';

const DEFAULT_SHARDS = 32;

/** `npm run distribute`: spreads the migrated schema over the nodes of a Citus cluster. Safe to run twice. */
async function main(): Promise<void> {
  const { DISTRIBUTE_URL, SHARDS = String(DEFAULT_SHARDS) } = process.env;
  if (!DISTRIBUTE_URL)
    throw new StartFailure('DISTRIBUTE_URL is not set: the URL of a superuser on the coordinator.');
  const shards = Number(SHARDS);
  if (!Number.isInteger(shards) || shards < 1 || shards > 1024)
    throw new StartFailure('SHARDS: a whole number from 1 to 1024 is needed.');
  const tables = await distribute(DISTRIBUTE_URL, { shards });
  console.log(
    tables.length === 0
      ? 'Every table is spread already.'
      : `${tables.length} tables were spread: ${tables.join(', ')}.`,
  );
}

try {
  await main();
} catch (error) {
  console.error(error instanceof StartFailure ? error.message : error);
  process.exitCode = 1;
}
