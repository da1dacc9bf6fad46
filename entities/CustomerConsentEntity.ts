import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { CustomerEntity } from './CustomerEntity.js';

/** The latest decision on one purpose of a customer, across all receipts. */
@Entity({ name: 'customer_consents' })
@ForeignKey(() => CustomerEntity, ['appId', 'customerId'], ['appId', 'customerId'], {
  name: 'customer_consents_customer_fkey',
  onDelete: 'CASCADE',
})
@Index('customer_consents_granted_idx', ['appId', 'purpose', 'customerId'], {
  where: "status = 'granted'::text",
})
export class CustomerConsentEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text', primaryKeyConstraintName: 'customer_consents_pkey' })
  appId: string;

  @PrimaryColumn({ name: 'customer_id', type: 'text', primaryKeyConstraintName: 'customer_consents_pkey' })
  customerId: string;

  @PrimaryColumn({ type: 'smallint', primaryKeyConstraintName: 'customer_consents_pkey' })
  purpose: number;

  @Column({ type: 'text' })
  status: string;

  @Column({ name: 'granted_at', type: 'timestamptz', precision: 3 })
  grantedAt: Date;

  @Column({ name: 'revoked_at', type: 'timestamptz', precision: 3, nullable: true })
  revokedAt: Date | null;
}
