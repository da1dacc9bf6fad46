import type { Purpose } from './purposes.js';

export type SessionStatus = 'created' | 'authorized' | 'completed' | 'expired' | 'revoked';

/** A connection session as GraphQL and REST show it (docs/contract.md#connection-sessions). */
export interface ConnectionSession {
  id: string;
  appId: string;
  customerId: string;
  status: SessionStatus;
  requestedPurposes: Purpose[];
  expiresAt: string;
  createdAt: string;
  /** What the person approved and did not withdraw; null before the approval. */
  approvedPurposes: Purpose[] | null;
  consentReceiptId: string | null;
  serviceUserId: string | null;
}

/** A stored session. Its `status` may be late: past `expires_at` an open session counts as expired. */
export interface StoredSession {
  session_id: string;
  app_id: string;
  customer_id: string;
  status: SessionStatus;
  requested_purposes: Purpose[];
  /** What the person approved and did not withdraw. */
  approved_purposes: Purpose[] | null;
  /** Purposes withdrawn before the partner recorded the approval, and the time of the last withdrawal. */
  withdrawn_purposes: Purpose[];
  withdrawn_at: string | null;
  redirect_uri: string | null;
  service_user_id: string | null;
  consent_receipt_id: string | null;
  /** Who revoked the session: the person (declined or withdrew) or the partner (canceled or revoked). */
  revoked_by: 'person' | 'partner' | null;
  created_at: string;
  expires_at: string;
}

/** Whether the status can still change: `created → authorized → completed`. */
export function isOpen(status: SessionStatus): boolean {
  return status === 'created' || status === 'authorized';
}

/** Whether a session has expired before its row says so (docs/contract.md#connection-sessions). */
export function hasLapsed(session: Pick<StoredSession, 'status' | 'expires_at'>, now: Date): boolean {
  return isOpen(session.status) && now.getTime() >= Date.parse(session.expires_at);
}

function statusAt(session: Pick<StoredSession, 'status' | 'expires_at'>, now: Date): SessionStatus {
  return hasLapsed(session, now) ? 'expired' : session.status;
}

/** What GraphQL and REST show of a stored session at `now`. */
export function presentSession(session: StoredSession, now: Date): ConnectionSession {
  return {
    id: session.session_id,
    appId: session.app_id,
    customerId: session.customer_id,
    status: statusAt(session, now),
    requestedPurposes: session.requested_purposes,
    expiresAt: session.expires_at,
    createdAt: session.created_at,
    approvedPurposes: session.approved_purposes,
    consentReceiptId: session.consent_receipt_id,
    serviceUserId: session.service_user_id,
  };
}

/** An authorized session after purposes were withdrawn: `revoked` when none is left. */
export function withoutApprovals(
  session: StoredSession,
  purposes: readonly Purpose[],
  by: 'person' | 'partner',
  now: Date,
): {
  status: 'authorized' | 'revoked';
  facts: Pick<StoredSession, 'approved_purposes' | 'withdrawn_purposes' | 'withdrawn_at' | 'revoked_by'>;
} {
  const approved = session.approved_purposes ?? [];
  const left = approved.filter((purpose) => !purposes.includes(purpose));
  const taken = approved.filter((purpose) => purposes.includes(purpose));
  return {
    status: left.length === 0 ? 'revoked' : 'authorized',
    facts: {
      approved_purposes: left,
      withdrawn_purposes: [...session.withdrawn_purposes, ...taken],
      withdrawn_at: now.toISOString(),
      revoked_by: left.length === 0 ? by : null,
    },
  };
}

/** Seconds until the session expires, rounded up; never negative. */
export function secondsLeft(session: Pick<StoredSession, 'expires_at'>, now: Date): number {
  return Math.max(0, Math.ceil((Date.parse(session.expires_at) - now.getTime()) / 1000));
}
