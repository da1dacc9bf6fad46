import type { ConsentEvidence } from '../../../schema/types/Consent.js';
import { readAccount } from '../../accounts/readAccount.js';
import { listAccountConnections } from '../../loaders/listAccountConnections.js';
import type { AccountSession } from '../../accounts/AccountSession.js';
import type { AccountServices } from '../../accounts/AccountServices.js';

/** Maximum connections of an export, and receipts of each. */
const ALL = 100_000;

/** All stored data of an account and its connections, with the field names of REST. */
export async function exportAccount(
  services: AccountServices,
  session: AccountSession,
): Promise<object | undefined> {
  const about = await readAccount(services.database, session.accountId, services.clock());
  if (about === undefined) return undefined;
  const connections = await listAccountConnections(services, session.accountId, {
    connections: ALL,
    receipts: ALL,
  });
  return {
    exported_at: services.clock().toISOString(),
    account: {
      id: session.accountId,
      email: about.email,
      email_verified: about.emailVerified,
      language: session.locale,
      time_zone: session.timeZone,
      approval_notices: about.approvalNotices,
      created_at: about.createdAt,
    },
    sessions: about.sessions.map(({ startedAt, address, userAgent }) => ({
      started_at: startedAt,
      address,
      user_agent: userAgent,
    })),
    passkeys: about.passkeys.map(({ label, createdAt, lastUsedAt }) => ({
      label,
      created_at: createdAt,
      last_used_at: lastUsedAt,
    })),
    connections: connections.map((connection) => ({
      partner: connection.partner,
      app_id: connection.appId,
      customer_id: connection.customerId,
      purposes: connection.purposes.map(({ purpose, state, since, approvedUntil }) => ({
        purpose,
        state,
        since,
        approved_until: approvedUntil,
      })),
      receipts: connection.receipts.map((receipt) => ({
        id: receipt.id,
        status: receipt.status,
        granted_at: receipt.grantedAt,
        terms_version: receipt.termsVersion,
        privacy_policy_version: receipt.privacyPolicyVersion,
        evidence: receipt.evidence ? evidenceOf(receipt.evidence) : null,
        purposes: receipt.purposes.map((item) => ({
          purpose: item.purpose,
          status: item.status,
          granted_at: item.grantedAt,
          revoked_at: item.revokedAt,
        })),
      })),
    })),
  };
}

function evidenceOf({ ipAddress, userAgent, locale, collectedAt }: ConsentEvidence): object {
  return { ip_address: ipAddress, user_agent: userAgent, locale, collected_at: collectedAt };
}
