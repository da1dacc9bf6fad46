import type { Transaction } from '../database/Transaction.js';
import type { ConnectionSession } from '../domain/connectionSession.js';
import { isOpen, presentSession } from '../domain/connectionSession.js';
import { notFound } from '../errors.js';
import { moveConnectionSession } from './moveConnectionSession.js';
import { settleConnectionSession } from './settleConnectionSession.js';

/** Ends a session for the partner. A session that has already ended is returned unchanged. */
export async function cancelConnectionSession(
  tx: Transaction,
  context: { clock: () => Date },
  id: string,
): Promise<ConnectionSession> {
  const session = await settleConnectionSession(tx, context.clock, id);
  if (session === undefined) throw notFound('connection session');
  const ended = isOpen(session.status)
    ? moveConnectionSession(tx, session, 'revoked', { revoked_by: 'partner' })
    : session;
  return presentSession(ended, context.clock());
}
