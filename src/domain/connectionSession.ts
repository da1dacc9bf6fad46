import type { Purpose } from './purposes.js';

export type SessionStatus = 'created' | 'authorized' | 'completed' | 'expired' | 'revoked';

/** A connection session as both doors show it (interface.md, ConnectionSession). */
export interface ConnectionSession {
  id: string;
  appId: string;
  customerId: string;
  status: SessionStatus;
  requestedPurposes: Purpose[];
  expiresAt: string;
  createdAt: string;
  consentReceiptId: string | null;
  serviceUserId: string | null;
}

/** A stored session. Its `status` lags behind the clock: past `expires_at` an open one counts as expired. */
export interface StoredSession {
  session_id: string;
  app_id: string;
  customer_id: string;
  status: SessionStatus;
  requested_purposes: Purpose[];
  approved_purposes: Purpose[] | null;
  redirect_uri: string | null;
  service_user_id: string | null;
  consent_receipt_id: string | null;
  /** Who ended a revoked session: the person by declining, the partner by canceling. */
  revoked_by: 'person' | 'partner' | null;
  created_at: string;
  expires_at: string;
}

/** Whether the session can still move: `created → authorized → completed`. */
export function isOpen(status: SessionStatus): boolean {
  return status === 'created' || status === 'authorized';
}

/** Whether the session has to be read as expired although its row does not say so yet (decisions 10.5). */
export function hasLapsed(session: Pick<StoredSession, 'status' | 'expires_at'>, now: Date): boolean {
  return isOpen(session.status) && now.getTime() >= Date.parse(session.expires_at);
}

export function statusAt(session: Pick<StoredSession, 'status' | 'expires_at'>, now: Date): SessionStatus {
  return hasLapsed(session, now) ? 'expired' : session.status;
}

/** What both doors show of a stored session at `now`. */
export function presentSession(session: StoredSession, now: Date): ConnectionSession {
  return {
    id: session.session_id,
    appId: session.app_id,
    customerId: session.customer_id,
    status: statusAt(session, now),
    requestedPurposes: session.requested_purposes,
    expiresAt: session.expires_at,
    createdAt: session.created_at,
    consentReceiptId: session.consent_receipt_id,
    serviceUserId: session.service_user_id,
  };
}

/** Seconds until the session lapses, rounded up; never negative. */
export function secondsLeft(session: Pick<StoredSession, 'expires_at'>, now: Date): number {
  return Math.max(0, Math.ceil((Date.parse(session.expires_at) - now.getTime()) / 1000));
}
