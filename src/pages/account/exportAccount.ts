import type { ConsentEvidence, ConsentReceipt } from '../../../schema/types/Consent.js';
import type { AccountServices } from '../../accounts/AccountServices.js';
import type { AccountSession } from '../../accounts/AccountSession.js';
import { readAccess } from '../../accounts/readAccess.js';
import type { AccountView } from '../../accounts/readAccount.js';
import { readAccount } from '../../accounts/readAccount.js';
import type { StoredSession } from '../../domain/connectionSession.js';
import { presentSession } from '../../domain/connectionSession.js';
import type { AccountConnection } from '../../loaders/listAccountConnections.js';
import { listAccountConnections } from '../../loaders/listAccountConnections.js';
import { listApprovedSessions } from '../../loaders/listApprovedSessions.js';

/** Maximum connections of an export, and receipts of each. */
const ALL = 100_000;

/**
 * All stored data of an account and its connections, with the field names of REST; without what would let
 * somebody in: passwords, keys, and ids of sessions and tokens.
 */
export async function exportAccount(
  services: AccountServices,
  session: AccountSession,
): Promise<object | undefined> {
  const { database } = services;
  const now = services.clock();
  const about = await readAccount(database, session.accountId, now);
  if (about === undefined) return undefined;
  const choice = { connections: ALL, receipts: ALL, lapsed: true };
  const connections = [];
  for (const connection of await listAccountConnections(services, session.accountId, choice)) {
    const sessions = await listApprovedSessions(database, session.accountId, connection);
    connections.push({
      ...connectionOf(connection),
      connection_sessions: sessions.map((one) => connectionSessionOf(one, now)),
    });
  }
  return {
    exported_at: now.toISOString(),
    account: accountOf(about, session),
    ...signInsOf(about),
    ...(await readAccess(database, session.accountId)),
    connections,
  };
}

function accountOf(about: AccountView, session: AccountSession): object {
  return {
    id: session.accountId,
    email: about.email,
    email_verified: about.emailVerified,
    new_email: about.newEmail,
    new_email_expires_at: about.newEmailExpiresAt,
    has_password: about.hasPassword,
    upstream_identity: about.upstream,
    language: session.locale,
    time_zone: session.timeZone,
    approval_notices: about.approvalNotices,
    created_at: about.createdAt,
    updated_at: about.updatedAt,
  };
}

function signInsOf({ sessions, passkeys }: AccountView): object {
  return {
    sessions: sessions.map((session) => ({
      started_at: session.startedAt,
      authenticated_at: session.authenticatedAt,
      expires_at: session.expiresAt,
      address: session.address,
      user_agent: session.userAgent,
    })),
    passkeys: passkeys.map(({ label, createdAt, lastUsedAt }) => ({
      label,
      created_at: createdAt,
      last_used_at: lastUsedAt,
    })),
  };
}

function connectionOf(connection: AccountConnection): object {
  return {
    partner: connection.partner,
    app_id: connection.appId,
    customer_id: connection.customerId,
    linked_at: connection.linkedAt,
    purposes: connection.purposes.map(({ purpose, state, since, approvedUntil }) => ({
      purpose,
      state,
      since,
      approved_until: approvedUntil,
    })),
    receipts: connection.receipts.map(receiptOf),
  };
}

function receiptOf(receipt: ConsentReceipt): object {
  return {
    id: receipt.id,
    status: receipt.status,
    granted_at: receipt.grantedAt,
    revoked_at: receipt.revokedAt,
    revocation_reason: receipt.revocationReason,
    revocation_note: receipt.revocationNote,
    connection_session_id: receipt.connectionSessionId,
    terms_version: receipt.termsVersion,
    privacy_policy_version: receipt.privacyPolicyVersion,
    evidence: receipt.evidence ? evidenceOf(receipt.evidence) : null,
    purposes: receipt.purposes.map((item) => ({
      purpose: item.purpose,
      status: item.status,
      granted_at: item.grantedAt,
      revoked_at: item.revokedAt,
    })),
  };
}

function evidenceOf({ ipAddress, userAgent, locale, collectedAt }: ConsentEvidence): object {
  return { ip_address: ipAddress, user_agent: userAgent, locale, collected_at: collectedAt };
}

function connectionSessionOf(session: StoredSession, now: Date): object {
  return {
    id: session.session_id,
    status: presentSession(session, now).status,
    service_user_id: session.service_user_id,
    requested_purposes: session.requested_purposes,
    approved_purposes: session.approved_purposes,
    withdrawn_purposes: session.withdrawn_purposes,
    withdrawn_at: session.withdrawn_at,
    revoked_by: session.revoked_by,
    consent_receipt_id: session.consent_receipt_id,
    redirect_uri: session.redirect_uri,
    created_at: session.created_at,
    expires_at: session.expires_at,
  };
}
