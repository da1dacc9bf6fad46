import { MIN_CHECKPOINT_KEY, settingOf } from '../config.js';
import { checkpointLedger } from '../commands/checkpointLedger.js';
import { checkpointKey, publicCheckpointKey } from '../domain/checkpoint.js';
import { allApps } from '../database/allApps.js';
import { appendLines } from './appendLines.js';
import { operate } from './operate.js';
import { required } from './runProgram.js';
import { withFile } from './withFile.js';

const USAGE = `npm run consent:checkpoint -- --out FILE

Appends a signed line for every app's consent ledger to FILE: its last record and the hash of it. Keep the
file where the database's owner cannot write. npm run consent:verify -- --checkpoints FILE finds a ledger that
was rewritten since. CHECKPOINT_KEY is the secret that signs, of at least 32 characters. Keep it apart from
the database.`;

await operate({
  words: 'consent checkpoint',
  usage: USAGE,
  options: { out: { type: 'string' } },
  paths: ['out'],
  async run(database, options, clock) {
    const out = required(options, 'out');
    const secret = settingOf(process.env, 'CHECKPOINT_KEY') ?? '';
    if (secret.length < MIN_CHECKPOINT_KEY)
      throw new TypeError(`CHECKPOINT_KEY must have at least ${MIN_CHECKPOINT_KEY} characters.`);
    const key = checkpointKey(secret);
    const said: string[] = [];
    const lines: string[] = [];
    for (const appId of await allApps(database)) {
      const { line, problem } = await checkpointLedger(database, key, appId, clock());
      if (line !== undefined) lines.push(line);
      if (problem !== undefined) said.push(`${appId}: BROKEN: ${problem}`);
    }
    await withFile(out, () => appendLines(out, lines));
    if (said.length > 0) process.exitCode = 1;
    const publicKey = publicCheckpointKey(key);
    return {
      text: [
        ...said,
        `${lines.length} signed to ${out}; to check them: CHECKPOINT_PUBLIC_KEY=${publicKey}`,
      ].join('\n'),
      data: { signed: lines.length, out, public_key: publicKey, problems: said },
    };
  },
});
