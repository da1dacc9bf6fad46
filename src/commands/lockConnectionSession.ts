import { connectionSessions } from '../../entities/ConnectionSessionEntity.js';
import type { Transaction } from '../database/Transaction.js';
import type { StoredSession } from '../domain/connectionSession.js';

/**
 * Locks a session for a change of its state. Every change takes this lock first and asks the clock only after
 * it, so that states follow one another as `created → authorized → completed` and no reader sees one taken
 * back.
 */
export async function lockConnectionSession(
  tx: Transaction,
  appId: string,
  sessionId: string,
): Promise<StoredSession | undefined> {
  const key = { app_id: appId, session_id: sessionId };
  return connectionSessions.find(tx, connectionSessions.columns, key, 'FOR UPDATE');
}
