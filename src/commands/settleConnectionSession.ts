import { connectionSessions } from '../../entities/ConnectionSessionEntity.js';
import type { Transaction } from '../database/Transaction.js';
import type { StoredSession } from '../domain/connectionSession.js';
import { hasLapsed } from '../domain/connectionSession.js';
import { moveConnectionSession } from './moveConnectionSession.js';

/**
 * Locks a session and stores that it expired, if it did. Every change takes this lock first and reads the
 * clock after it: states follow the order `created → authorized → completed`, and no reader sees one undone.
 * A session that was once read as expired stays so: a concurrent change either committed before or finds it
 * expired.
 *
 * @returns the locked session; undefined when there is none
 */
export async function settleConnectionSession(
  tx: Transaction,
  clock: () => Date,
  sessionId: string,
): Promise<StoredSession | undefined> {
  const key = { app_id: tx.app, session_id: sessionId };
  const session = await connectionSessions.find(tx, connectionSessions.columns, key, 'FOR UPDATE');
  if (session === undefined || !hasLapsed(session, clock())) return session;
  return moveConnectionSession(tx, session, 'expired');
}
