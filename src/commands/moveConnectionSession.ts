import { announce } from '../database/outbox.js';
import type { Transaction } from '../database/Transaction.js';
import type { SessionStatus, StoredSession } from '../domain/connectionSession.js';

type Reached = Exclude<SessionStatus, 'created'>;

/** What a change of state writes in addition to the state. */
export type SessionFacts = Partial<
  Pick<
    StoredSession,
    | 'approved_purposes'
    | 'withdrawn_purposes'
    | 'withdrawn_at'
    | 'service_user_id'
    | 'consent_receipt_id'
    | 'revoked_by'
  >
>;

/**
 * Moves a locked session to its next state and announces it. The caller has checked that the move is allowed.
 */
export function moveConnectionSession(
  tx: Transaction,
  session: StoredSession,
  status: Reached,
  facts: SessionFacts = {},
): StoredSession {
  const next: StoredSession = { ...session, ...facts, status };
  tx.send(MOVE, [
    next.app_id,
    next.session_id,
    next.status,
    next.approved_purposes,
    next.service_user_id,
    next.consent_receipt_id,
    next.revoked_by,
    next.withdrawn_purposes,
    next.withdrawn_at,
  ]);
  announce(tx, {
    type: `connection_session.${status}`,
    data: {
      session_id: next.session_id,
      customer_id: next.customer_id,
      status,
      ...(next.approved_purposes === null ? {} : { approved_purposes: next.approved_purposes }),
      ...(next.consent_receipt_id === null ? {} : { consent_receipt_id: next.consent_receipt_id }),
    },
  });
  return next;
}

const MOVE = `
  UPDATE connection_sessions
     SET status = $3, approved_purposes = $4, service_user_id = $5, consent_receipt_id = $6, revoked_by = $7,
         withdrawn_purposes = $8, withdrawn_at = $9
   WHERE app_id = $1 AND session_id = $2`;
