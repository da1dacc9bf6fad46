import { settleConnectionSession } from '../commands/settleConnectionSession.js';
import type { Database } from '../database/Database.js';
import { dequeue } from '../database/workQueue.js';
import { isOpen } from '../domain/connectionSession.js';

/**
 * Stores that a session expired and tells the partner; reading does not depend on this. One transaction:
 * after a kill it is found again.
 */
export async function expireConnectionSession(
  { database, clock }: { database: Database; clock: () => Date },
  appId: string,
  sessionId: string,
): Promise<void> {
  return database.transaction(appId, async (tx) => {
    const session = await settleConnectionSession(tx, clock, sessionId);
    if (session === undefined || !isOpen(session.status)) await dequeue(tx, 'connection_session', sessionId);
  });
}
