import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { CustomerEntity } from './CustomerEntity.js';

/**
 * The row whose lock orders everything about a customer: consent, acceptance and applying. The gate reads it.
 */
@Entity({ name: 'customer_heads' })
@ForeignKey(() => CustomerEntity, ['appId', 'customerId'], ['appId', 'customerId'], {
  name: 'customer_heads_customer_fkey',
  onDelete: 'CASCADE',
})
export class CustomerHeadEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text', primaryKeyConstraintName: 'customer_heads_pkey' })
  appId: string;

  @PrimaryColumn({ name: 'customer_id', type: 'text', primaryKeyConstraintName: 'customer_heads_pkey' })
  customerId: string;

  @Column({ type: 'bigint', default: 0 })
  sequence: number;

  @Column({ name: 'applied_sequence', type: 'bigint', default: 0 })
  appliedSequence: number;

  @Column({ name: 'granted_mask', type: 'integer', default: 0 })
  grantedMask: number;

  @Column({ type: 'integer', array: true, default: () => "'{0,0,0,0,0,0,0}'" })
  epochs: number[];

  @Column({ name: 'latest_receipt_id', type: 'text', nullable: true })
  latestReceiptId: string | null;

  @Column({ name: 'open_workflow_id', type: 'text', nullable: true })
  openWorkflowId: string | null;

  @Column({ name: 'changed_at', type: 'timestamptz', precision: 3 })
  changedAt: Date;
}
