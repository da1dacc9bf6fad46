import type { Transaction } from '../database/Transaction.js';
import type { StoredSession } from '../domain/connectionSession.js';
import type { Purpose } from '../domain/purposes.js';
import type { ErrorDetail } from '../errors.js';
import { ServiceError, validationFailed } from '../errors.js';
import { moveConnectionSession } from './moveConnectionSession.js';
import { settleConnectionSession } from './settleConnectionSession.js';

export interface CompleteConnectionSessionInput {
  sessionId: string;
  customerId: string;
  purposes: readonly Purpose[];
  receiptId: string;
}

/**
 * Completes an authorized session with the receipt that is recorded in the same transaction (decisions 10.4).
 *
 * @throws ServiceError 422 for an unknown session, one of another customer, or purposes that the person did not approve;
 *   409 when the session is not authorized, whatever the purposes
 */
export async function completeConnectionSession(
  tx: Transaction,
  context: { appId: string; clock: () => Date },
  input: CompleteConnectionSessionInput,
): Promise<void> {
  const session = await settleConnectionSession(tx, context.clock, context.appId, input.sessionId);
  const authorized = requireAuthorized(session, input.customerId);
  const problems = unapproved(authorized.approved_purposes ?? [], input.purposes);
  if (problems.length > 0) throw validationFailed(problems);
  await moveConnectionSession(tx, authorized, 'completed', { consent_receipt_id: input.receiptId });
}

function requireAuthorized(session: StoredSession | undefined, customerId: string): StoredSession {
  if (session === undefined)
    throw validationFailed([problem('unknown_reference', 'There is no such connection session.')]);
  if (session.customer_id !== customerId) {
    throw validationFailed([problem('customer_mismatch', 'The connection session belongs to another customer.')]);
  }
  if (session.status === 'authorized') return session;
  throw new ServiceError('conflict', `The connection session is ${session.status}, not authorized.`);
}

function problem(code: string, message: string): ErrorDetail {
  return { code, message, field: 'connection_session_id' };
}

function unapproved(approved: readonly Purpose[], purposes: readonly Purpose[]): ErrorDetail[] {
  return purposes.flatMap((purpose, index) =>
    approved.includes(purpose)
      ? []
      : [
          {
            code: 'purpose_not_approved',
            message: `The person did not approve ${purpose}.`,
            field: `purposes[${index}]`,
          },
        ],
  );
}
