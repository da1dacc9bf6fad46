import type { CreateConnectionSessionInput } from '../../schema/inputs/ConnectionSessionInput.js';
import type { CreateConnectionSessionPayload } from '../../schema/types/ConnectionSession.js';
import { connectionLinks } from '../../entities/ConnectionLinkEntity.js';
import { connectionSessions } from '../../entities/ConnectionSessionEntity.js';
import type { Transaction } from '../database/Transaction.js';
import { enqueueAt } from '../database/workQueue.js';
import type { StoredSession } from '../domain/connectionSession.js';
import { presentSession } from '../domain/connectionSession.js';
import { newId } from '../domain/ids.js';
import { hashSecretToken, newSecretToken } from '../domain/secretToken.js';
import type { ErrorDetail } from '../errors.js';
import { validationFailed } from '../errors.js';
import { purposeProblems, unknownCustomer } from './inputProblems.js';

const DEFAULT_LIFETIME_SECONDS = 1800;

/**
 * Begins a connection session (docs/contract.md#connection-sessions).
 *
 * @throws ServiceError 422 naming every problem: an unknown customer, purposes outside the app's
 *   `allowed_consent_purposes`, a redirect URI that is not one of the app's
 */
export async function createConnectionSession(
  tx: Transaction,
  context: { appId: string; clock: () => Date; baseUrl: string },
  input: CreateConnectionSessionInput,
): Promise<CreateConnectionSessionPayload> {
  const problems = await referenceProblems(tx, context.appId, input);
  if (problems.length > 0) throw validationFailed(problems);
  const session = newSession(context.appId, context.clock(), input);
  const clientToken = newSecretToken();
  await insert(tx, session, hashSecretToken(clientToken));
  return {
    session: presentSession(session, context.clock()),
    clientToken,
    connectionUrl: `${context.baseUrl}/connect/${session.session_id}?client_token=${clientToken}`,
  };
}

interface References {
  redirect_uris: string[];
  allowed_mask: number;
  customer_exists: boolean;
}

/** For an app that was deleted meanwhile. */
const NOTHING: References = { redirect_uris: [], allowed_mask: 0, customer_exists: false };

async function referenceProblems(
  tx: Transaction,
  appId: string,
  input: CreateConnectionSessionInput,
): Promise<ErrorDetail[]> {
  const found = (await tx.one<References>(REFERENCES, [appId, input.customerId])) ?? NOTHING;
  const redirectUri = input.redirectUri ?? undefined;
  return [
    ...(found.customer_exists ? [] : [unknownCustomer()]),
    ...purposeProblems(found, input.requestedPurposes, 'requested_purposes'),
    ...(redirectUri === undefined || found.redirect_uris.includes(redirectUri) ? [] : [foreignRedirect()]),
  ];
}

function foreignRedirect(): ErrorDetail {
  return {
    code: 'redirect_uri_not_allowed',
    message: "must be one of the app's redirect_uris",
    field: 'redirect_uri',
  };
}

function newSession(appId: string, now: Date, input: CreateConnectionSessionInput): StoredSession {
  const lifetimeSeconds = input.expiresIn ?? DEFAULT_LIFETIME_SECONDS;
  return {
    session_id: newId('cs'),
    app_id: appId,
    customer_id: input.customerId,
    status: 'created',
    requested_purposes: [...new Set(input.requestedPurposes)],
    approved_purposes: null,
    withdrawn_purposes: [],
    withdrawn_at: null,
    redirect_uri: input.redirectUri ?? null,
    service_user_id: null,
    consent_receipt_id: null,
    revoked_by: null,
    created_at: now.toISOString(),
    expires_at: new Date(now.getTime() + lifetimeSeconds * 1000).toISOString(),
  };
}

async function insert(tx: Transaction, session: StoredSession, tokenHash: string): Promise<void> {
  await connectionSessions.insert(tx, { ...session });
  const { session_id, app_id } = session;
  await connectionLinks.insert(tx, { session_id, app_id, token_hash: tokenHash });
  enqueueAt(tx, 'connection_session', [session.session_id], new Date(session.expires_at));
}

const REFERENCES = `
  SELECT redirect_uris, allowed_mask,
         EXISTS (SELECT FROM customers c WHERE c.app_id = $1 AND c.customer_id = $2) AS customer_exists
    FROM apps a WHERE app_id = $1`;
