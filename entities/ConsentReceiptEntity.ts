import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { CustomerEntity } from './CustomerEntity.js';

/** A record that a person granted purposes. */
@Entity({ name: 'consent_receipts' })
@ForeignKey(() => CustomerEntity, ['appId', 'customerId'], ['appId', 'customerId'], {
  name: 'consent_receipts_customer_fkey',
  onDelete: 'CASCADE',
})
@Index('consent_receipts_customer_idx', { synchronize: false })
export class ConsentReceiptEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text', primaryKeyConstraintName: 'consent_receipts_pkey' })
  appId: string;

  @PrimaryColumn({ name: 'receipt_id', type: 'text', primaryKeyConstraintName: 'consent_receipts_pkey' })
  receiptId: string;

  @Column({ name: 'customer_id', type: 'text' })
  customerId: string;

  @Column({ name: 'terms_version', type: 'text', nullable: true })
  termsVersion: string | null;

  @Column({ name: 'privacy_policy_version', type: 'text', nullable: true })
  privacyPolicyVersion: string | null;

  @Column({ name: 'connection_session_id', type: 'text', nullable: true })
  connectionSessionId: string | null;

  @Column({ type: 'jsonb', nullable: true })
  evidence: object | null;

  @Column({ name: 'granted_at', type: 'timestamptz', precision: 3 })
  grantedAt: Date;

  @Column({ name: 'revoked_at', type: 'timestamptz', precision: 3, nullable: true })
  revokedAt: Date | null;

  @Column({ name: 'revocation_reason', type: 'text', nullable: true })
  revocationReason: string | null;

  @Column({ name: 'revocation_note', type: 'text', nullable: true })
  revocationNote: string | null;
}
