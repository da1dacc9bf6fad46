import type { Database } from './Database.js';
import { RevocationJournal } from './RevocationJournal.js';
import type { Journal } from './RevocationJournal.js';
import { StartFailure } from './StartFailure.js';

const READ = { name: 'journals', text: 'SELECT journal_id FROM revocation_journals ORDER BY created_at' };

const INSERT = {
  name: 'journal_insert',
  text: 'INSERT INTO revocation_journals (journal_id, created_at) VALUES ($1, now()) ON CONFLICT DO NOTHING',
};

const HELP =
  'Without it, withdrawals made after a backup would be forgotten (docs/operations.md, backup and restore).';

/**
 * The journal of a database, begun if there is none yet.
 *
 * @param folder `REVOCATION_JOURNAL`; undefined if not set
 * @returns undefined if the database has none and none is configured
 * @throws StartFailure when the database has a journal that is not in the folder
 */
export async function bindJournal(
  database: Pick<Database, 'read'>,
  folder: string | undefined,
): Promise<RevocationJournal | undefined> {
  const known = (await database.read<{ journal_id: string }>(READ)).map(({ journal_id }) => journal_id);
  if (folder === undefined) {
    if (known.length === 0) return undefined;
    throw new StartFailure(
      `REVOCATION_JOURNAL is not set, and this database has a journal of withdrawals. ${HELP}`,
    );
  }
  const journal = new RevocationJournal(folder);
  const found = await journal.id();
  if (known.length > 0 && (found === undefined || !known.includes(found)))
    throw new StartFailure(`REVOCATION_JOURNAL: the journal of this database is not in ${folder}. ${HELP}`);
  await database.read(INSERT, [found ?? (await journal.begin())]);
  return journal;
}

/** For commands that may run without the journal: it is opened at the first write. */
export function journalForCommands(database: Pick<Database, 'read'>, folder: string | undefined): Journal {
  let bound: Promise<RevocationJournal | undefined> | undefined;
  return {
    append: async (...entries) => (await (bound ??= bindJournal(database, folder)))?.append(...entries),
  };
}
