import type { Logger } from 'pino';
import { closeAccountsAgain } from '../accounts/closeAccountsAgain.js';
import { replayJournal } from '../commands/replayJournal.js';
import type { Config } from '../config.js';
import { bindJournal } from '../database/bindJournal.js';
import { Database } from '../database/Database.js';
import { DatabaseClock } from '../database/DatabaseClock.js';
import type { RevocationJournal } from '../database/RevocationJournal.js';
import { dateIdsBy } from '../domain/ids.js';

/**
 * Applies the withdrawals of the journal that the database lacks, as after a restore. Runs before anything is
 * served.
 *
 * @returns the journal to write to; undefined when none is configured
 * @throws StartFailure when the database has a journal that cannot be read
 */
export async function restoreWithdrawals(
  url: string,
  { revocationJournal, preparedStatements: prepared }: Config,
  log: Logger,
): Promise<RevocationJournal | undefined> {
  const database = new Database({ url, poolSize: 2, prepared });
  try {
    const journal = await bindJournal(database, revocationJournal);
    if (journal === undefined) return undefined;
    const clock = (await DatabaseClock.read(database)).now;
    dateIdsBy(clock);
    const replayed = await replayJournal(database, journal, clock, (ids) =>
      closeAccountsAgain(database, ids, clock()),
    );
    const { revoked, erased, appsDeleted, accountsClosed } = replayed;
    if (revoked + erased + appsDeleted + accountsClosed > 0)
      log.warn(
        replayed,
        'the database lacked withdrawals of its journal, as after a restore: they were carried out again',
      );
    return journal;
  } finally {
    await database.close();
  }
}
