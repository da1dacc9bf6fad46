import { randomUUID } from 'node:crypto';
import type { Journal, JournalEntry } from './RevocationJournal.js';
import { wasNotSent } from './sqlState.js';

/** PostgreSQL answered the commit with a rollback. */
export class RolledBack extends Error {
  constructor() {
    super('The transaction was rolled back at its commit.');
  }
}

const NOT_VOIDED =
  'A withdrawal was rolled back, and the journal cannot be told: it is carried out at the next start.';

/**
 * Writes a transaction's entries to the journal, then commits. When it certainly rolled back, the entries are
 * voided. When nobody knows, as after a connection that was lost at the commit, they stay: the next start
 * carries them out.
 */
export async function commitJournaled(
  journal: Journal,
  entries: readonly JournalEntry[],
  commit: () => Promise<void>,
): Promise<void> {
  const id = randomUUID();
  const voidAll = (): Promise<void> =>
    journal.append({ at: new Date().toISOString(), kind: 'void', of: id, app_id: '' });
  try {
    await journal.append(...entries.map((entry) => ({ ...entry, id })));
  } catch (error) {
    // The failed write may have left some of them.
    await voidAll().catch(() => undefined);
    throw error;
  }
  try {
    await commit();
  } catch (error) {
    if (error instanceof RolledBack || wasNotSent(error))
      await voidAll().catch((failure: unknown) => {
        throw new Error(`${NOT_VOIDED} ${String(failure)}`, { cause: error });
      });
    throw error;
  }
}
