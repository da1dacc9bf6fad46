import { accounts } from '../../entities/AccountEntity.js';
import { accountSessions } from '../../entities/AccountSessionEntity.js';
import type { Transaction } from '../database/Transaction.js';
import type { AccountServices } from './AccountServices.js';
import type { AccountSession } from './AccountSession.js';

/** The session on whose behalf an account was to be changed. */
export type ChangingSession = Pick<AccountSession, 'accountId' | 'id'>;

/** The session ended while its request was under way. Nothing was changed. */
export class SessionEnded extends Error {}

/**
 * A transaction that changes an account on behalf of a session, which is locked first (`lockSession`).
 *
 * @throws SessionEnded when the session has ended since the request read it
 */
export function changeAccount<Result>(
  { database }: Pick<AccountServices, 'database'>,
  session: ChangingSession,
  change: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return database.transaction(null, async (tx) => {
    await lockSession(tx, session, 'FOR UPDATE');
    return change(tx);
  });
}

/**
 * Locks the account of a session, as all does that ends its access. The session is looked up in the next
 * statement, which sees what was committed until the lock was obtained.
 *
 * @throws SessionEnded when the session has ended since the request read it
 */
export async function lockSession(
  tx: Transaction,
  { accountId, id }: ChangingSession,
  lock: 'FOR UPDATE' | 'FOR SHARE',
): Promise<void> {
  const own = { account_id: accountId };
  await accounts.find(tx, ['account_id'], own, lock);
  if (!(await accountSessions.has(tx, { ...own, token_hash: id }))) throw new SessionEnded();
}
