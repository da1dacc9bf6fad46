import type { Transaction } from '../database/Transaction.js';
import type { StoredSession } from '../domain/connectionSession.js';
import type { Purpose } from '../domain/purposes.js';
import type { ErrorDetail } from '../errors.js';
import { conflict, validationFailed } from '../errors.js';
import { settleConnectionSession } from './settleConnectionSession.js';

/** What a receipt stores about the session that it completes (docs/contract.md#connection-sessions). */
export interface ReceiptOfSession {
  connectionSessionId?: string | null;
  customerId: string;
}

/** The locked session that a receipt names. Undefined when it names none or an unknown one. */
export async function lockSessionFor(
  tx: Transaction,
  { clock }: { clock: () => Date },
  { connectionSessionId }: ReceiptOfSession,
): Promise<StoredSession | undefined> {
  return connectionSessionId ? settleConnectionSession(tx, clock, connectionSessionId) : undefined;
}

/** Why a receipt cannot name this session. */
export function sessionProblems(
  session: StoredSession | undefined,
  receipt: ReceiptOfSession,
): ErrorDetail[] {
  const field = 'connection_session_id';
  if (!receipt.connectionSessionId) return [];
  if (session === undefined)
    return [{ code: 'unknown_reference', message: 'is not a connection session of this app', field }];
  if (session.customer_id === receipt.customerId) return [];
  return [{ code: 'customer_mismatch', message: 'belongs to another customer', field }];
}

/**
 * The session, which waits for its receipt.
 *
 * @throws ServiceError 422 `purpose_not_approved` when withdrawals ended the session and a purpose is one of
 *   those taken back; else `conflict` unless the session is authorized, whatever the purposes
 */
export function requireAuthorized(session: StoredSession, purposes: readonly Purpose[]): StoredSession {
  if (session.status === 'authorized') return session;
  if (endedByWithdrawal(session) && purposes.some((purpose) => session.withdrawn_purposes.includes(purpose)))
    throw validationFailed(approvalProblems(session, purposes));
  throw conflict(`The connection session is ${session.status}, not authorized.`, {
    code: 'session_not_authorized',
    message: `is ${session.status}`,
    field: 'connection_session_id',
  });
}

/** A session that was canceled keeps what was left of its approval; one that was declined had none. */
function endedByWithdrawal({ status, approved_purposes: left }: StoredSession): boolean {
  return status === 'revoked' && left?.length === 0;
}

/** Purposes that the person did not approve or has withdrawn. */
export function approvalProblems(
  session: StoredSession | undefined,
  purposes: readonly Purpose[],
): ErrorDetail[] {
  if (!session?.approved_purposes) return [];
  const { approved_purposes: approved, withdrawn_purposes: withdrawn } = session;
  return purposes.flatMap((purpose, index) =>
    approved.includes(purpose) ? [] : [notApproved(purpose, index, withdrawn.includes(purpose))],
  );
}

function notApproved(purpose: Purpose, index: number, takenBack: boolean): ErrorDetail {
  const message = takenBack
    ? `${purpose} was approved and taken back`
    : `${purpose} was not approved by the person`;
  return { code: 'purpose_not_approved', message, field: `purposes[${index}]` };
}
