import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A change to report to webhook endpoints, written in the transaction of the change. */
@Entity({ name: 'outbox' })
@Index('outbox_position_idx', ['appId', 'position'])
export class OutboxEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text', primaryKeyConstraintName: 'outbox_pkey' })
  appId: string;

  @PrimaryColumn({ name: 'message_id', type: 'text', primaryKeyConstraintName: 'outbox_pkey' })
  messageId: string;

  @Column({ type: 'text' })
  type: string;

  @Column({ type: 'jsonb' })
  data: object;

  @Column({ name: 'customer_id', type: 'text', nullable: true })
  customerId: string | null;

  @Column({ name: 'purpose_mask', type: 'integer', default: 0 })
  purposeMask: number;

  @Column({ type: 'integer', array: true, nullable: true })
  epochs: number[] | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'bigint', generated: 'identity', generatedIdentity: 'ALWAYS' })
  position: number;
}
