import { settleConnectionSession } from '../commands/settleConnectionSession.js';
import type { Database, Row } from '../database/Database.js';
import { dequeue } from '../database/workQueue.js';

interface Due extends Row {
  app_id: string;
  subject: string;
}

export const MOST_AT_ONCE = 100;

/**
 * Writes down which sessions expired, so that partners hear of it. Reading does not depend on it. Each session is a
 * transaction of its own: killed anywhere, the rest is found again.
 *
 * @returns how many were looked at; as many as the bound means that there may be more
 */
export async function sweepConnectionSessions(services: { database: Database; clock: () => Date }): Promise<number> {
  const due = await services.database.read<Due>(DUE, [services.clock().toISOString(), MOST_AT_ONCE]);
  for (const { app_id: appId, subject } of due) await expire(services, appId, subject);
  return due.length;
}

async function expire(
  { database, clock }: { database: Database; clock: () => Date },
  appId: string,
  sessionId: string,
): Promise<void> {
  await database.transaction(appId, async (tx) => {
    await settleConnectionSession(tx, clock, appId, sessionId);
    await dequeue(tx, 'connection_session', sessionId);
  });
}

const DUE = {
  name: 'connection_sessions_due',
  text: `SELECT app_id, subject FROM work_queue WHERE queue = 'connection_session' AND ready_at <= $1 ORDER BY ready_at LIMIT $2`,
};
