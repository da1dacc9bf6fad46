import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { OfApp } from './OfApp.js';

/** A change to report to webhook endpoints, written in the transaction of the change. */
@Entity({ name: 'outbox' })
@Index('outbox_position_idx', ['appId', 'position'])
export class OutboxEntity extends OfApp {
  @PrimaryColumn({ type: 'text' })
  messageId: string;

  @Column({ type: 'text' })
  type: string;

  @Column({ type: 'jsonb' })
  data: object;

  @Column({ type: 'text', nullable: true })
  customerId: string | null;

  @Column({ type: 'integer', default: 0 })
  purposeMask: number;

  @Column({ type: 'integer', array: true, nullable: true })
  epochs: number[] | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'bigint', generated: 'identity', generatedIdentity: 'ALWAYS' })
  position: number;
}
