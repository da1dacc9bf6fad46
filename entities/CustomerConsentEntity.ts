import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { CustomerEntity } from './CustomerEntity.js';
import { OfApp } from './OfApp.js';

/** The latest decision on one purpose of a customer, across all receipts. */
@Entity({ name: 'customer_consents' })
@ForeignKey(() => CustomerEntity, ['appId', 'customerId'], ['appId', 'customerId'], { onDelete: 'CASCADE' })
@Index('customer_consents_granted_idx', ['appId', 'purpose', 'customerId'], {
  where: "status = 'granted'::text",
})
export class CustomerConsentEntity extends OfApp {
  @PrimaryColumn({ type: 'text' })
  customerId: string;

  @PrimaryColumn({ type: 'smallint' })
  purpose: number;

  @Column({ type: 'text' })
  status: string;

  @Column({ type: 'timestamptz', precision: 3 })
  grantedAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  revokedAt: Date | null;
}
