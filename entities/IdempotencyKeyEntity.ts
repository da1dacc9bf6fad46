import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A key that was used, with the result to replay; sealed when it shows a secret. */
@Entity({ name: 'idempotency_keys' })
@Index('idempotency_keys_created_at_idx', ['appId', 'createdAt'])
export class IdempotencyKeyEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text', primaryKeyConstraintName: 'idempotency_keys_pkey' })
  appId: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'idempotency_keys_pkey' })
  key: string;

  @Column({ name: 'payload_hash', type: 'text' })
  payloadHash: string;

  @Column({ name: 'customer_id', type: 'text', nullable: true })
  customerId: string | null;

  @Column({ type: 'boolean', default: false })
  sealed: boolean;

  @Column({ type: 'text', nullable: true })
  result: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
