import type { Database } from '../database/Database.js';
import { closeAccount } from './closeAccount.js';

const OPEN_OF = `SELECT account_id FROM accounts a WHERE account_id = ANY ($1)
  AND NOT EXISTS (SELECT FROM account_erasures e WHERE e.account_id = a.account_id)`;

const OPEN = { name: 'journal_open_accounts', text: OPEN_OF };

/**
 * Closes deleted accounts that a database restore brought back. Their owners are not mailed again.
 *
 * @returns how many were closed
 */
export async function closeAccountsAgain(
  database: Database,
  accountIds: readonly string[],
  now: Date,
): Promise<number> {
  const open = await database.read<{ account_id: string }>(OPEN, [accountIds]);
  let closed = 0;
  for (const { account_id: id } of open)
    await database.transaction(null, async (tx) => {
      // Another process may replay the same journal.
      if ((await tx.one(`${OPEN_OF} FOR UPDATE`, [[id]])) === undefined) return;
      await closeAccount(tx, id, now);
      tx.afterCommit(() => void (closed += 1));
    });
  return closed;
}
