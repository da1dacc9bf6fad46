import { settleConnectionSession } from './settleConnectionSession.js';
import type { Database } from '../database/Database.js';
import { SESSION_COLUMNS } from '../../entities/ConnectionSessionEntity.js';
import type { StoredSession } from '../domain/connectionSession.js';
import { hasLapsed } from '../domain/connectionSession.js';

/** Reads a session. A lapsed one is settled first, so that `expired`, once seen, is never undone. */
export async function readConnectionSession(
  services: { database: Database; clock: () => Date },
  appId: string,
  sessionId: string,
): Promise<StoredSession | undefined> {
  const [session] = await services.database.readAs<StoredSession>(appId, FIND, [appId, sessionId]);
  if (session === undefined || !hasLapsed(session, services.clock())) return session;
  return services.database.transaction(appId, (tx) => settleConnectionSession(tx, services.clock, sessionId));
}

const FIND = {
  name: 'connection_session_find',
  text: `SELECT ${SESSION_COLUMNS} FROM connection_sessions WHERE app_id = $1 AND session_id = $2`,
};
