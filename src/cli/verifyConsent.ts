import { readFileSync } from 'node:fs';
import { findRewritten } from '../commands/checkpointLedger.js';
import { verifyLedger } from '../commands/verifyLedger.js';
import type { Database } from '../database/Database.js';
import { checkpointKey, publicCheckpointKey } from '../domain/checkpoint.js';
import { allApps } from './allApps.js';
import { operate } from './operate.js';

const USAGE = `npm run consent:verify [-- --app APP_ID] [--checkpoints FILE]

Follows the hash chain of the consent ledger, of one app or of all, and says where it breaks. With the FILE of consent:checkpoint
it says too which ledger is no longer the one that was signed; CHECKPOINT_PUBLIC_KEY (or CHECKPOINT_KEY) checks the signatures.`;

await operate({
  usage: USAGE,
  options: { app: { type: 'string' }, checkpoints: { type: 'string' } },
  async run(database, { app, checkpoints }) {
    const apps = typeof app === 'string' ? [app] : await allApps(database);
    const lines: string[] = [];
    for (const appId of apps) lines.push(await verify(database, appId));
    if (typeof checkpoints === 'string') lines.push(...(await verifyCheckpoints(database, checkpoints)));
    return [...lines, `${apps.length} ${apps.length === 1 ? 'ledger' : 'ledgers'} checked.`].join('\n');
  },
});

async function verify(database: Database, appId: string): Promise<string> {
  const { records, problem } = await verifyLedger(database, appId);
  if (problem === undefined) return `${appId}: ${records} records, whole`;
  process.exitCode = 1;
  return `${appId}: BROKEN after ${records} records: ${problem}`;
}

async function verifyCheckpoints(database: Database, file: string): Promise<string[]> {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const { checked, problems } = await findRewritten(database, publicKey(), lines);
  if (problems.length > 0) process.exitCode = 1;
  return [...problems.map((problem) => `REWRITTEN: ${problem}`), `${checked} checkpoints checked.`];
}

function publicKey(): string {
  const { CHECKPOINT_PUBLIC_KEY, CHECKPOINT_KEY } = process.env;
  if (CHECKPOINT_PUBLIC_KEY) return CHECKPOINT_PUBLIC_KEY;
  if (CHECKPOINT_KEY) return publicCheckpointKey(checkpointKey(CHECKPOINT_KEY));
  throw new TypeError('CHECKPOINT_PUBLIC_KEY is missing: consent:checkpoint tells it.');
}
