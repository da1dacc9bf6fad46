import { Entity, ForeignKey } from 'typeorm';
import { Key, Small, Time } from './columns.js';
import { ConsentReceiptEntity } from './ConsentReceiptEntity.js';
import { OfApp } from './OfApp.js';

/** One purpose of a receipt and when it was revoked. */
@Entity({ name: 'consent_receipt_purposes' })
@ForeignKey(() => ConsentReceiptEntity, ['appId', 'receiptId'], ['appId', 'receiptId'], {
  onDelete: 'CASCADE',
})
export class ConsentReceiptPurposeEntity extends OfApp {
  @Key() receiptId: string;
  @Small({ primary: true }) purpose: number;
  @Small() position: number;
  @Time() grantedAt: Date;
  @Time({ nullable: true }) revokedAt: Date | null;
}
