import type { Transaction } from '../database/Transaction.js';
import type { StoredSession } from '../domain/connectionSession.js';
import type { Purpose } from '../domain/purposes.js';
import type { ErrorDetail } from '../errors.js';
import { ServiceError } from '../errors.js';
import { settleConnectionSession } from './settleConnectionSession.js';

/** What a receipt says of the session that it completes (decisions 10.4). */
export interface ReceiptOfSession {
  connectionSessionId?: string | null;
  customerId: string;
}

/** The session that a receipt names, locked; undefined when it names none, or one that there is not. */
export async function lockSessionFor(
  tx: Transaction,
  { appId, clock }: { appId: string; clock: () => Date },
  { connectionSessionId }: ReceiptOfSession,
): Promise<StoredSession | undefined> {
  return connectionSessionId ? settleConnectionSession(tx, clock, appId, connectionSessionId) : undefined;
}

/** Why the session that a receipt names cannot be meant. */
export function sessionProblems(session: StoredSession | undefined, receipt: ReceiptOfSession): ErrorDetail[] {
  const field = 'connection_session_id';
  if (!receipt.connectionSessionId) return [];
  if (session === undefined)
    return [{ code: 'unknown_reference', message: 'is not a connection session of this app', field }];
  if (session.customer_id === receipt.customerId) return [];
  return [{ code: 'customer_mismatch', message: 'belongs to another customer', field }];
}

/** @throws ServiceError `conflict` unless the session waits for its receipt, whatever the purposes */
export function requireAuthorized(session: StoredSession): StoredSession {
  if (session.status === 'authorized') return session;
  throw new ServiceError('conflict', `The connection session is ${session.status}, not authorized.`);
}

/** Purposes that the person did not approve. */
export function approvalProblems(session: StoredSession | undefined, purposes: readonly Purpose[]): ErrorDetail[] {
  const approved = session?.approved_purposes;
  if (!approved) return [];
  return purposes.flatMap((purpose, index) =>
    approved.includes(purpose)
      ? []
      : [
          {
            code: 'purpose_not_approved',
            message: `${purpose} was not approved by the person`,
            field: `purposes[${index}]`,
          },
        ],
  );
}
