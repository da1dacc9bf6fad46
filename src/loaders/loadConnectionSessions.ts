import type { Connection } from '../../schema/connection.js';
import { readConnectionSession } from '../commands/readConnectionSession.js';
import type { Row } from '../database/Database.js';
import type { ConnectionSession, StoredSession } from '../domain/connectionSession.js';
import { hasLapsed, presentSession } from '../domain/connectionSession.js';
import type { Loaders } from './Loaders.js';
import type { PageRequest } from './page.js';
import { readWindow, toPage } from './page.js';

type SessionRow = StoredSession & Row;

const OF_CUSTOMER = {
  name: 'connection_sessions_of_customer',
  text: `SELECT * FROM connection_sessions
         WHERE app_id = $1 AND customer_id = $4 AND ($2::text IS NULL OR session_id < $2) ORDER BY session_id DESC LIMIT $3`,
};

export async function loadConnectionSession(
  { services, appId }: Loaders,
  id: string,
): Promise<ConnectionSession | undefined> {
  const session = await readConnectionSession(services, appId, id);
  return session && presentSession(session, services.clock());
}

/** A customer's sessions, newest first. */
export async function listConnectionSessions(
  { services, appId }: Loaders,
  customerId: string,
  request: PageRequest,
): Promise<Connection<ConnectionSession>> {
  const scope = { appId, list: 'connection_sessions', filter: customerId };
  const { limit, after } = readWindow(services.secrets, scope, request);
  const found = await services.database.readAs<SessionRow>(appId, OF_CUSTOMER, [appId, after, limit + 1, customerId]);
  const now = services.clock();
  const rows = await Promise.all(found.map((row) => (hasLapsed(row, now) ? settled(services, row) : row)));
  return toPage(services.secrets, scope, limit, rows, (row) => ({
    position: row.session_id,
    node: presentSession(row, now),
  }));
}

async function settled(services: Loaders['services'], row: StoredSession): Promise<StoredSession> {
  return (await readConnectionSession(services, row.app_id, row.session_id)) ?? row;
}
