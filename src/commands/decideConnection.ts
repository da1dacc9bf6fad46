import { accounts } from '../../entities/AccountEntity.js';
import { accountLinks } from '../../entities/AccountLinkEntity.js';
import { connectionSessions } from '../../entities/ConnectionSessionEntity.js';
import type { Transaction } from '../database/Transaction.js';
import type { StoredSession } from '../domain/connectionSession.js';
import type { SecretBox } from '../domain/SecretBox.js';
import type { Purpose } from '../domain/purposes.js';
import { ServiceError } from '../errors.js';
import { lockHead } from './customerHead.js';
import { queueNotice } from '../mail/queueNotice.js';
import { moveConnectionSession } from './moveConnectionSession.js';
import { settleConnectionSession } from './settleConnectionSession.js';

export interface DecideConnectionInput {
  sessionId: string;
  /** The account of the person who decides. */
  accountId: string;
  /** Purposes that the person ticked; none: declined. Purposes that were not requested are ignored. */
  purposes: readonly Purpose[];
}

/**
 * Records what the person decided: `authorized` with the purposes approved and the account linked to the
 * customer, or `revoked`. The person is told of an approval by mail. The customer's head is locked first, so
 * every approval is older or newer than every withdrawal. Nothing changes if the session no longer waits for
 * a decision.
 *
 * @throws ServiceError `conflict` on an approval by an account whose address nobody has proved
 * @returns the session afterwards; undefined when there is none
 */
export async function decideConnection(
  tx: Transaction,
  context: { appId: string; clock: () => Date; secrets: SecretBox },
  input: DecideConnectionInput,
): Promise<StoredSession | undefined> {
  const key = { app_id: context.appId, session_id: input.sessionId };
  const of = await connectionSessions.find(tx, ['customer_id'], key);
  if (of === undefined) return undefined;
  await lockHead(tx, of.customer_id);
  const session = await settleConnectionSession(tx, context.clock, input.sessionId);
  if (session?.status !== 'created') return session;
  const approved = session.requested_purposes.filter((purpose) => input.purposes.includes(purpose));
  if (approved.length === 0) return moveConnectionSession(tx, session, 'revoked', { revoked_by: 'person' });
  const person = { account_id: input.accountId };
  // Locks the account until the approval commits: a deletion waits for it, or the account is not found here.
  const account = await accounts.find(tx, ['email_verified'], person, 'FOR SHARE');
  if (account?.email_verified !== true)
    throw new ServiceError('conflict', 'The address of the account is not verified.');
  const link = { ...person, app_id: context.appId, customer_id: session.customer_id };
  await accountLinks.insertNew(tx, { ...link, linked_at: context.clock() });
  await queueNotice(tx, context, {
    accountId: input.accountId,
    purposes: approved,
    until: session.expires_at,
  });
  return moveConnectionSession(tx, session, 'authorized', {
    approved_purposes: approved,
    service_user_id: input.accountId,
  });
}
