import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { OfApp } from './OfApp.js';

/** An event that was processed, rejected or given up. Without content once its purpose was closed. */
@Entity({ name: 'events' })
@Unique('events_event_id_key', ['appId', 'eventId'])
@Check('events_status_check', "status = ANY (ARRAY['processed'::text, 'rejected'::text, 'failed'::text])")
@Index('events_object_idx', ['appId', 'customerId', 'purpose', 'object', 'occurredAt', 'sequence'], {
  where: 'object IS NOT NULL',
})
@Index('events_list_idx', ['appId', 'status', 'purpose', 'eventId'])
@Index('events_customer_idx', ['appId', 'customerId', 'status', 'purpose', 'eventId'])
export class EventEntity extends OfApp {
  @PrimaryColumn({ type: 'text' })
  customerId: string;

  @PrimaryColumn({ type: 'bigint' })
  sequence: number;

  @Column({ type: 'text' })
  eventId: string;

  @Column({ type: 'text' })
  status: string;

  @Column({ type: 'smallint' })
  purpose: number;

  @Column({ type: 'integer' })
  epoch: number;

  @Column({ type: 'text', nullable: true })
  eventType: string | null;

  @Column({ type: 'text', nullable: true })
  object: string | null;

  @Column({ type: 'text', nullable: true })
  category: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  occurredAt: Date | null;

  @Column({ type: 'jsonb', nullable: true })
  payload: object | null;

  @Column({ type: 'jsonb', nullable: true })
  error: object | null;

  @Column({ type: 'timestamptz', precision: 3 })
  acceptedAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  processedAt: Date;
}
