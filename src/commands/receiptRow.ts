import type { ConsentEvidence, ConsentReceipt, PurposeConsent } from '../../schema/types/Consent.js';
import { PURPOSES } from '../domain/purposes.js';
import type { Purpose } from '../domain/purposes.js';

export interface ReceiptPurposeRow {
  purpose: number;
  granted_at: string;
  revoked_at: string | null;
}

export interface ReceiptRow extends Record<string, unknown> {
  app_id: string;
  receipt_id: string;
  customer_id: string;
  terms_version: string | null;
  privacy_policy_version: string | null;
  connection_session_id: string | null;
  evidence: ConsentEvidence | null;
  granted_at: string;
  revoked_at: string | null;
  revocation_reason: string | null;
  revocation_note: string | null;
  purposes: ReceiptPurposeRow[];
}

/** A receipt with its purposes in the order given; `r` is the receipt. */
export const RECEIPT_COLUMNS = `r.app_id, r.receipt_id, r.customer_id, r.terms_version, r.privacy_policy_version, r.connection_session_id,
  r.evidence, r.granted_at, r.revoked_at, r.revocation_reason, r.revocation_note,
  (SELECT jsonb_agg(jsonb_build_object('purpose', p.purpose, 'granted_at', p.granted_at, 'revoked_at', p.revoked_at) ORDER BY p.position)
     FROM consent_receipt_purposes p WHERE p.app_id = r.app_id AND p.receipt_id = r.receipt_id) AS purposes`;

export function toReceipt(row: ReceiptRow): ConsentReceipt {
  const purposes = row.purposes.map(toPurposeConsent);
  return {
    id: row.receipt_id,
    appId: row.app_id,
    customerId: row.customer_id,
    purposes,
    termsVersion: row.terms_version,
    privacyPolicyVersion: row.privacy_policy_version,
    connectionSessionId: row.connection_session_id,
    evidence: row.evidence,
    status: receiptStatus(purposes),
    grantedAt: row.granted_at,
    revokedAt: row.revoked_at,
    revocationReason: row.revocation_reason,
    revocationNote: row.revocation_note,
  };
}

/** One purpose's decision. Times inside a JSON aggregate come in PostgreSQL's own spelling. */
export function toPurposeConsent(row: ReceiptPurposeRow): PurposeConsent {
  return {
    purpose: purposeAt(row.purpose),
    status: row.revoked_at === null ? 'granted' : 'revoked',
    grantedAt: new Date(row.granted_at).toISOString(),
    revokedAt: row.revoked_at === null ? null : new Date(row.revoked_at).toISOString(),
  };
}

export function purposeAt(index: number): Purpose {
  const purpose = PURPOSES[index];
  if (purpose === undefined) throw new Error('A row names a purpose that the vocabulary does not have.');
  return purpose;
}

/** `active` → `partially_revoked` (some purposes) → `revoked` (all). */
function receiptStatus(purposes: readonly PurposeConsent[]): ConsentReceipt['status'] {
  const revoked = purposes.filter(({ status }) => status === 'revoked').length;
  if (revoked === 0) return 'active';
  return revoked === purposes.length ? 'revoked' : 'partially_revoked';
}
