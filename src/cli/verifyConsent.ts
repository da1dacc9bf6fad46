import { apps as appTable } from '../../entities/AppEntity.js';
import { appErasures } from '../../entities/AppErasureEntity.js';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { settingOf } from '../config.js';
import { findRewritten } from '../commands/checkpointLedger.js';
import { verifyLedger } from '../commands/verifyLedger.js';
import type { Database } from '../database/Database.js';
import { checkpointFiles, linesIn } from '../jobs/CheckpointFolder.js';
import { checkpointKey, publicCheckpointKey } from '../domain/checkpoint.js';
import { allApps } from '../database/allApps.js';
import { notFound } from '../errors.js';
import { operate } from './operate.js';
import { withFile } from './withFile.js';

const USAGE = `npm run consent:verify [-- --app APP_ID] [--checkpoints FILE_OR_FOLDER]

Verifies the hash chain of the consent ledger, of one app or of all, and reports the first fault. With the
FILE of consent:checkpoint, or CHECKPOINT_DIR, it also reports ledgers that differ from the signed ones.
CHECKPOINT_PUBLIC_KEY (or CHECKPOINT_KEY) verifies the signatures.`;

await operate({
  words: 'consent verify',
  usage: USAGE,
  options: { app: { type: 'string' }, checkpoints: { type: 'string' } },
  paths: ['checkpoints'],
  async run(database, { app, checkpoints }) {
    const apps = typeof app === 'string' ? [app] : await allApps(database);
    const ledgers: Ledger[] = [];
    for (const appId of apps) {
      const { records, problem } = await verifyLedger(database, appId);
      if (records === 0 && problem === undefined && !(await isKnown(database, appId))) throw notFound('app');
      ledgers.push({ app_id: appId, records, ...(problem === undefined ? {} : { problem }) });
    }
    const signed =
      typeof checkpoints === 'string' ? await verifyCheckpoints(database, checkpoints) : undefined;
    if (ledgers.some(({ problem }) => problem !== undefined) || (signed?.problems.length ?? 0) > 0)
      process.exitCode = 1;
    const lines = [...ledgers.map(lineOf), ...(signed === undefined ? [] : linesOf(signed))];
    return {
      text: [...lines, `${apps.length} ${apps.length === 1 ? 'ledger' : 'ledgers'} checked.`].join('\n'),
      data: { ledgers, ...(signed === undefined ? {} : { checkpoints: signed }) },
    };
  },
});

/** Whether there is or was such an app. */
async function isKnown(database: Database, appId: string): Promise<boolean> {
  return (
    (await appTable.has(database, { app_id: appId })) || (await appErasures.has(database, { app_id: appId }))
  );
}

interface Ledger {
  app_id: string;
  records: number;
  problem?: string | undefined;
}

function lineOf({ app_id: appId, records, problem }: Ledger): string {
  return problem === undefined
    ? `${appId}: ${records} records, whole`
    : `${appId}: BROKEN after ${records} records: ${problem}`;
}

interface Checkpoints {
  checked: number;
  problems: string[];
  erased: string[];
}

function linesOf({ checked, problems, erased }: Checkpoints): string[] {
  return [
    ...problems.map((problem) => `REWRITTEN: ${problem}`),
    ...erased.map((told) => `ERASED: ${told}`),
    `${checked} checkpoints checked.`,
  ];
}

async function verifyCheckpoints(database: Database, place: string): Promise<Checkpoints> {
  const lines = await withFile(place, async () => {
    const isFolder = statSync(place).isDirectory();
    const files = isFolder ? (await checkpointFiles(place)).map((name) => join(place, name)) : [place];
    return files.flatMap((file) => linesIn(readFileSync(file, 'utf8')));
  });
  return findRewritten(database, publicKey(), lines);
}

function publicKey(): string {
  const [given, secret] = [
    settingOf(process.env, 'CHECKPOINT_PUBLIC_KEY'),
    settingOf(process.env, 'CHECKPOINT_KEY'),
  ];
  if (given !== undefined) return given;
  if (secret !== undefined) return publicCheckpointKey(checkpointKey(secret));
  throw new TypeError('CHECKPOINT_PUBLIC_KEY is missing: consent:checkpoint tells it.');
}
