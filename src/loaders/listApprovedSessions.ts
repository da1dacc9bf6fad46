import { SESSION_COLUMNS } from '../../entities/ConnectionSessionEntity.js';
import type { Database } from '../database/Database.js';
import type { StoredSession } from '../domain/connectionSession.js';

/** The connection sessions in which an account approved something for a customer, newest first. */
export function listApprovedSessions(
  database: Database,
  accountId: string,
  { appId, customerId }: { appId: string; customerId: string },
): Promise<StoredSession[]> {
  return database.readAs<StoredSession>(appId, SESSIONS, [appId, customerId, accountId]);
}

const SESSIONS = {
  name: 'approved_sessions_of_customer',
  text: `SELECT ${SESSION_COLUMNS} FROM connection_sessions
          WHERE app_id = $1 AND customer_id = $2 AND service_user_id = $3 ORDER BY session_id DESC`,
};
