import { verifyLedger } from '../commands/verifyLedger.js';
import type { Database } from '../database/Database.js';
import { operate } from './operate.js';

const USAGE = `npm run consent:verify [-- --app APP_ID]

Follows the hash chain of the consent ledger, of one app or of all, and says where it breaks.`;

await operate({
  usage: USAGE,
  options: { app: { type: 'string' } },
  async run(database, { app }) {
    const apps = typeof app === 'string' ? [app] : await allApps(database);
    const lines: string[] = [];
    for (const appId of apps) lines.push(await verify(database, appId));
    return [...lines, `${apps.length} ${apps.length === 1 ? 'ledger' : 'ledgers'} checked.`].join('\n');
  },
});

async function allApps(database: Database): Promise<string[]> {
  const rows = await database.read<{ app_id: string }>({
    name: 'all_apps',
    text: 'SELECT app_id FROM apps ORDER BY app_id',
  });
  return rows.map(({ app_id }) => app_id);
}

async function verify(database: Database, appId: string): Promise<string> {
  const { records, problem } = await verifyLedger(database, appId);
  if (problem === undefined) return `${appId}: ${records} records, whole`;
  process.exitCode = 1;
  return `${appId}: BROKEN after ${records} records: ${problem}`;
}
