import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { OfApp } from './OfApp.js';

/** A key that was used, with the result to replay; sealed when it shows a secret. */
@Entity({ name: 'idempotency_keys' })
@Index('idempotency_keys_created_at_idx', ['appId', 'createdAt'])
export class IdempotencyKeyEntity extends OfApp {
  @PrimaryColumn({ type: 'text' })
  key: string;

  @Column({ type: 'text' })
  payloadHash: string;

  @Column({ type: 'text', nullable: true })
  customerId: string | null;

  @Column({ type: 'boolean', default: false })
  sealed: boolean;

  @Column({ type: 'text', nullable: true })
  result: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
