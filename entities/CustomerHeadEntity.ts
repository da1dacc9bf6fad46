import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { CustomerEntity } from './CustomerEntity.js';
import { OfApp } from './OfApp.js';

/**
 * The row whose lock orders everything about a customer: consent, acceptance and applying. The gate reads it.
 */
@Entity({ name: 'customer_heads' })
@ForeignKey(() => CustomerEntity, ['appId', 'customerId'], ['appId', 'customerId'], { onDelete: 'CASCADE' })
export class CustomerHeadEntity extends OfApp {
  @PrimaryColumn({ type: 'text' })
  customerId: string;

  @Column({ type: 'bigint', default: 0 })
  sequence: number;

  @Column({ type: 'bigint', default: 0 })
  appliedSequence: number;

  @Column({ type: 'integer', default: 0 })
  grantedMask: number;

  @Column({ type: 'integer', array: true, default: () => "'{0,0,0,0,0,0,0}'" })
  epochs: number[];

  @Column({ type: 'text', nullable: true })
  latestReceiptId: string | null;

  @Column({ type: 'text', nullable: true })
  openWorkflowId: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  changedAt: Date;
}
