import { settingOf } from '../config.js';
import { distribute } from '../database/citus/distribute.js';
import { primaryUrl } from '../database/hosts/primaryUrl.js';
import { NO_PATIENCE, reachDatabase } from '../database/reachDatabase.js';
import { StartFailure } from '../database/StartFailure.js';
import { runProgram } from './runProgram.js';

const DEFAULT_SHARDS = 32;

const USAGE = `npm run distribute

Spreads the migrated schema over the nodes of a Citus cluster. It may be run again. DISTRIBUTE_URL is a
superuser on the coordinator. SHARDS, from 1 to 1024, is ${DEFAULT_SHARDS} unless set.`;

await runProgram({
  usage: USAGE,
  options: {},
  async run() {
    const url = settingOf(process.env, 'DISTRIBUTE_URL');
    if (url === undefined)
      throw new StartFailure('DISTRIBUTE_URL is not set: the URL of a superuser on the coordinator.');
    const shards = Number(settingOf(process.env, 'SHARDS') ?? DEFAULT_SHARDS);
    if (!Number.isInteger(shards) || shards < 1 || shards > 1024)
      throw new StartFailure('SHARDS: a whole number from 1 to 1024 is needed.');
    await reachDatabase(url, 'DISTRIBUTE_URL', NO_PATIENCE);
    const tables = await distribute(await primaryUrl(url), { shards });
    const text =
      tables.length === 0
        ? 'Every table is spread already.'
        : `${tables.length} tables were spread: ${tables.join(', ')}.`;
    return { text, data: { tables } };
  },
});
