import type { Transaction } from '../database/Transaction.js';
import type { StoredSession } from '../domain/connectionSession.js';
import { hasLapsed } from '../domain/connectionSession.js';
import { lockConnectionSession } from './lockConnectionSession.js';
import { moveConnectionSession } from './moveConnectionSession.js';

/**
 * Locks a session and stores that it expired, if it did. A session that was once read as expired stays so: a
 * concurrent change either committed before or finds it expired.
 *
 * @returns the locked session; undefined when there is none
 */
export async function settleConnectionSession(
  tx: Transaction,
  clock: () => Date,
  appId: string,
  sessionId: string,
): Promise<StoredSession | undefined> {
  const session = await lockConnectionSession(tx, appId, sessionId);
  if (session === undefined || !hasLapsed(session, clock())) return session;
  return moveConnectionSession(tx, session, 'expired');
}
