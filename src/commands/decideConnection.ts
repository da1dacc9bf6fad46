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
  /** Purposes that the person ticked; none: declined. Others than the requested ones are left out. */
  purposes: readonly Purpose[];
}

/**
 * Records what the person decided: `authorized` with the purposes approved and the account linked to the
 * customer, or `revoked`. An approval is told to the person by mail. The customer's head is locked first: so
 * every approval is older or newer than every withdrawal. Where the session is no longer waiting for a
 * decision, nothing changes.
 *
 * @throws ServiceError `conflict` on an approval by an account whose address nobody has proved
 * @returns the session as it then stands; undefined when there is none
 */
export async function decideConnection(
  tx: Transaction,
  context: { appId: string; clock: () => Date; secrets: SecretBox },
  input: DecideConnectionInput,
): Promise<StoredSession | undefined> {
  const of = await tx.one<{ customer_id: string }>(CUSTOMER, [context.appId, input.sessionId]);
  if (of === undefined) return undefined;
  await lockHead(tx, of.customer_id);
  const session = await settleConnectionSession(tx, context.clock, context.appId, input.sessionId);
  if (session?.status !== 'created') return session;
  const approved = session.requested_purposes.filter((purpose) => input.purposes.includes(purpose));
  if (approved.length === 0) return moveConnectionSession(tx, session, 'revoked', { revoked_by: 'person' });
  const account = await tx.one<{ email_verified: boolean }>(ACCOUNT, [input.accountId]);
  if (account?.email_verified !== true)
    throw new ServiceError('conflict', 'The address of the account is not verified.');
  await tx.execute(LINK, [
    input.accountId,
    context.appId,
    session.customer_id,
    context.clock().toISOString(),
  ]);
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

const CUSTOMER = `SELECT customer_id FROM connection_sessions WHERE app_id = $1 AND session_id = $2`;

/**
 * Held until the approval commits: an account that is being deleted meanwhile waits for it, or is found gone.
 */
const ACCOUNT = `SELECT email_verified FROM accounts WHERE account_id = $1 FOR SHARE`;

const LINK = `
  INSERT INTO account_links (account_id, app_id, customer_id, linked_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (account_id, app_id, customer_id) DO NOTHING`;
