import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { ConsentReceiptEntity } from './ConsentReceiptEntity.js';
import { OfApp } from './OfApp.js';

/** One purpose of a receipt and when it was revoked. */
@Entity({ name: 'consent_receipt_purposes' })
@ForeignKey(() => ConsentReceiptEntity, ['appId', 'receiptId'], ['appId', 'receiptId'], {
  onDelete: 'CASCADE',
})
export class ConsentReceiptPurposeEntity extends OfApp {
  @PrimaryColumn({ type: 'text' })
  receiptId: string;

  @PrimaryColumn({ type: 'smallint' })
  purpose: number;

  @Column({ type: 'smallint' })
  position: number;

  @Column({ type: 'timestamptz', precision: 3 })
  grantedAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  revokedAt: Date | null;
}
