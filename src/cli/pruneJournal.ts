import { settingOf } from '../config.js';
import { bindJournal } from '../database/bindJournal.js';
import { operate } from './operate.js';
import { required } from './runProgram.js';

const USAGE = `consent journal prune --before DAY

Removes the files of the withdrawal journal (REVOCATION_JOURNAL) of days before DAY, such as 2026-11-01. DAY
is that of the oldest backup that you would still restore. After a restore of an older backup, withdrawals of
the removed days are not repeated.`;

await operate({
  words: 'journal prune',
  usage: USAGE,
  options: { before: { type: 'string' } },
  async run(database, options) {
    const before = required(options, 'before');
    const journal = await bindJournal(database, settingOf(process.env, 'REVOCATION_JOURNAL'));
    if (journal === undefined)
      throw new TypeError('REVOCATION_JOURNAL is not set, and this database has no journal.');
    const removed = await journal.prune(before);
    return { text: `${removed.length} files of before ${before} were removed.`, data: { before, removed } };
  },
});
