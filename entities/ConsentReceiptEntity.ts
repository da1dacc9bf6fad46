import { Entity, ForeignKey, Index } from 'typeorm';
import { CustomerEntity } from './CustomerEntity.js';
import type { ConsentEvidence, ConsentReceipt, PurposeConsent } from '../schema/types/Consent.js';
import { purposeAt } from '../src/domain/purposes.js';
import { Json, Key, Text, Time } from './columns.js';
import { columnsOf } from './rowOf.js';
import type { RowOf } from './rowOf.js';
import { OfApp } from './OfApp.js';

/** A record of a person's grant of purposes. */
@Entity({ name: 'consent_receipts' })
@ForeignKey(() => CustomerEntity, ['appId', 'customerId'], ['appId', 'customerId'], { onDelete: 'CASCADE' })
@Index('consent_receipts_customer_idx', { synchronize: false })
export class ConsentReceiptEntity extends OfApp {
  @Key() receiptId: string;
  @Text() customerId: string;
  @Text({ nullable: true }) termsVersion: string | null;
  @Text({ nullable: true }) privacyPolicyVersion: string | null;
  @Text({ nullable: true }) connectionSessionId: string | null;
  @Json({ nullable: true }) evidence: ConsentEvidence | null;
  @Time() grantedAt: Date;
  @Time({ nullable: true }) revokedAt: Date | null;
  @Text({ nullable: true }) revocationReason: string | null;
  @Text({ nullable: true }) revocationNote: string | null;
}

export interface ReceiptPurposeRow {
  purpose: number;
  granted_at: string;
  revoked_at: string | null;
}

export type ReceiptRow = RowOf<ConsentReceiptEntity> & { purposes: ReceiptPurposeRow[] };

/** SQL of a receipt with its purposes in the given order; `r` is the receipt, `$1` its app. */
export const RECEIPT_COLUMNS = `${columnsOf(ConsentReceiptEntity, 'r')},
  (SELECT jsonb_agg(jsonb_build_object('purpose', p.purpose, 'granted_at', p.granted_at, 'revoked_at', p.revoked_at) ORDER BY p.position)
     FROM consent_receipt_purposes p WHERE p.app_id = $1 AND p.receipt_id = r.receipt_id) AS purposes`;

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

/** The decision on one purpose. Times inside a JSON aggregate have PostgreSQL's format. */
export function toPurposeConsent(row: ReceiptPurposeRow): PurposeConsent {
  return {
    purpose: purposeAt(row.purpose),
    status: row.revoked_at === null ? 'granted' : 'revoked',
    grantedAt: new Date(row.granted_at).toISOString(),
    revokedAt: row.revoked_at === null ? null : new Date(row.revoked_at).toISOString(),
  };
}

/** `active` → `partially_revoked` (some purposes) → `revoked` (all). */
function receiptStatus(purposes: readonly PurposeConsent[]): ConsentReceipt['status'] {
  const revoked = purposes.filter(({ status }) => status === 'revoked').length;
  if (revoked === 0) return 'active';
  return revoked === purposes.length ? 'revoked' : 'partially_revoked';
}
