import type { Connection } from '../../schema/connection.js';
import { SESSION_COLUMNS } from '../../entities/ConnectionSessionEntity.js';
import { readConnectionSession } from '../commands/readConnectionSession.js';
import type { ConnectionSession, SessionStatus, StoredSession } from '../domain/connectionSession.js';
import { hasLapsed, isOpen, presentSession } from '../domain/connectionSession.js';
import { countUpTo } from './countUpTo.js';
import type { ReadScope } from './ReadScope.js';
import { PageWindow, scopeOf } from './page.js';
import type { OrderedPageRequest, OrderedWindow } from './page.js';
import { Statement } from './Statement.js';

export interface ConnectionSessionFilter {
  customerId?: string | undefined;
  /** The status at reading: past `expires_at` an open session is `expired`, whatever its row says. */
  status?: SessionStatus | undefined;
}

/** Connection sessions, by default newest first. */
export async function listConnectionSessions(
  context: ReadScope,
  filter: ConnectionSessionFilter,
  request: OrderedPageRequest,
): Promise<Connection<ConnectionSession>> {
  const { services, appId } = context;
  const scope = scopeOf(appId, 'connection_sessions', filter, request.order);
  const page = new PageWindow(services.secrets, scope, request);
  const { rows, now } = await readSettled(context, filter, page.inOrder(request.order));
  const read = (row: StoredSession) => ({ position: row.session_id, node: presentSession(row, now) });
  return page.toPage(rows, read, countOf(context, filter));
}

/**
 * The rows of a page; expired sessions are stored as expired first. If one changed meanwhile and no longer
 * matches the filter, the page is read again and is then stable.
 */
async function readSettled(
  context: ReadScope,
  filter: ConnectionSessionFilter,
  window: OrderedWindow,
): Promise<{ rows: StoredSession[]; now: Date }> {
  const { services, appId } = context;
  for (;;) {
    const now = services.clock();
    const statement = new Statement('connection_sessions_page', appId);
    const query = statement.query(pageOf(statement, filter, now, window));
    const found = await services.database.readAs<StoredSession>(appId, query, statement.values);
    const rows = await Promise.all(found.map((row) => (hasLapsed(row, now) ? settled(context, row) : row)));
    const { status } = filter;
    if (status === undefined || rows.every((row) => presentSession(row, now).status === status))
      return { rows, now };
  }
}

async function settled({ services }: ReadScope, row: StoredSession): Promise<StoredSession> {
  return (
    ((await readConnectionSession(services, row.app_id, row.session_id)) as StoredSession | undefined) ?? row
  );
}

function pageOf(
  statement: Statement,
  filter: ConnectionSessionFilter,
  now: Date,
  { after, limit, direction, beyond }: OrderedWindow,
): string {
  const most = `${statement.bind(limit)}::integer`;
  const start = after === null ? '' : `AND s.session_id ${beyond} ${statement.bind(after)}`;
  const parts = selections(statement, filter, now).map(
    (condition) =>
      `(SELECT ${SESSION_COLUMNS} FROM connection_sessions s WHERE ${condition} ${start} ORDER BY s.session_id ${direction} LIMIT ${most})`,
  );
  return `SELECT * FROM (${parts.join(' UNION ALL ')}) merged ORDER BY session_id ${direction} LIMIT ${most}`;
}

const OPEN: readonly SessionStatus[] = ['created', 'authorized'];

/** The filter's conditions on sessions `s`. One index reads each. */
function selections(
  statement: Statement,
  { customerId, status }: ConnectionSessionFilter,
  now: Date,
): string[] {
  const customer = customerId === undefined ? '' : `AND s.customer_id = ${statement.bind(customerId)}`;
  const all = `s.app_id = $1 ${customer}`;
  if (status === undefined) return [all];
  const stored = `${all} AND s.status = ${statement.bind(status)}`;
  if (isOpen(status)) return [`${stored} AND s.expires_at > ${statement.bind(now)}`];
  if (status !== 'expired') return [stored];
  const lapsed = `s.expires_at <= ${statement.bind(now)}`;
  return [stored, ...OPEN.map((open) => `${all} AND s.status = '${open}' AND ${lapsed}`)];
}

function countOf(context: ReadScope, filter: ConnectionSessionFilter): () => Promise<number | null> {
  const statement = new Statement('connection_sessions', context.appId);
  const parts = selections(statement, filter, context.services.clock());
  const text = parts
    .map((condition) => `SELECT FROM connection_sessions s WHERE ${condition}`)
    .join(' UNION ALL ');
  return countUpTo(context, statement.query(text), statement.values);
}
