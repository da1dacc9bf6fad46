import { connectionSessions } from '../../entities/ConnectionSessionEntity.js';
import type { Transaction } from '../database/Transaction.js';
import type { StoredSession } from '../domain/connectionSession.js';

/**
 * Locks a session for a change of its state. Every change takes this lock first and reads the clock after it:
 * states follow the order `created → authorized → completed`, and no reader sees one undone.
 */
export async function lockConnectionSession(
  tx: Transaction,
  appId: string,
  sessionId: string,
): Promise<StoredSession | undefined> {
  const key = { app_id: appId, session_id: sessionId };
  return connectionSessions.find(tx, connectionSessions.columns, key, 'FOR UPDATE');
}
