import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { ConsentReceiptEntity } from './ConsentReceiptEntity.js';

/** One purpose of a receipt and when it was revoked. */
@Entity({ name: 'consent_receipt_purposes' })
@ForeignKey(() => ConsentReceiptEntity, ['appId', 'receiptId'], ['appId', 'receiptId'], {
  name: 'consent_receipt_purposes_receipt_fkey',
  onDelete: 'CASCADE',
})
export class ConsentReceiptPurposeEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text', primaryKeyConstraintName: 'consent_receipt_purposes_pkey' })
  appId: string;

  @PrimaryColumn({
    name: 'receipt_id',
    type: 'text',
    primaryKeyConstraintName: 'consent_receipt_purposes_pkey',
  })
  receiptId: string;

  @PrimaryColumn({ type: 'smallint', primaryKeyConstraintName: 'consent_receipt_purposes_pkey' })
  purpose: number;

  @Column({ type: 'smallint' })
  position: number;

  @Column({ name: 'granted_at', type: 'timestamptz', precision: 3 })
  grantedAt: Date;

  @Column({ name: 'revoked_at', type: 'timestamptz', precision: 3, nullable: true })
  revokedAt: Date | null;
}
