import { SESSION_COLUMNS } from '../../entities/ConnectionSessionEntity.js';
import type { Transaction } from '../database/Transaction.js';
import type { StoredSession } from '../domain/connectionSession.js';
import { hasLapsed, withoutApprovals } from '../domain/connectionSession.js';
import type { Purpose } from '../domain/purposes.js';
import { moveConnectionSession } from './moveConnectionSession.js';

/**
 * Withdraws purposes from every approval of a customer. An authorized session without purposes becomes
 * `revoked`. A lapsed session is stored as expired, so that no node with a slow clock uses it. An ended
 * session keeps its state and no longer shows the purposes. The caller holds the customer's head; an approval
 * takes that lock too, so every approval is older or newer than this call.
 *
 * @returns the purposes withdrawn from at least one session whose approval its partner had not recorded
 */
export async function endApprovals(
  tx: Transaction,
  context: { clock: () => Date },
  customerId: string,
  purposes: readonly Purpose[],
  by: 'person' | 'partner',
): Promise<Purpose[]> {
  const sessions = await tx.query<StoredSession>(LOCK_APPROVED, [tx.app, customerId, purposes]);
  const now = context.clock();
  const ended = new Set<Purpose>();
  for (const session of sessions) {
    const { status, facts } = withoutApprovals(session, purposes, by, now);
    if (hasLapsed(session, now)) {
      moveConnectionSession(tx, session, 'expired', { approved_purposes: facts.approved_purposes });
      continue;
    }
    moveConnectionSession(tx, session, status, facts);
    for (const purpose of purposes)
      if (session.approved_purposes?.includes(purpose) === true) ended.add(purpose);
  }
  tx.send(TAKE_FROM_ENDED, [tx.app, customerId, purposes]);
  return [...ended];
}

const LOCK_APPROVED = `
  SELECT ${SESSION_COLUMNS} FROM connection_sessions
   WHERE app_id = $1 AND customer_id = $2 AND status = 'authorized' AND approved_purposes && $3::text[]
   ORDER BY session_id FOR UPDATE`;

const TAKE_FROM_ENDED = `
  UPDATE connection_sessions
     SET approved_purposes = ARRAY(SELECT p FROM unnest(approved_purposes) WITH ORDINALITY AS left_over (p, n)
                                    WHERE p <> ALL ($3::text[]) ORDER BY n)
   WHERE app_id = $1 AND customer_id = $2 AND status IN ('completed', 'expired', 'revoked')
     AND approved_purposes && $3::text[]`;
