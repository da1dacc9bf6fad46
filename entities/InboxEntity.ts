import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { OfApp } from './OfApp.js';

/** A claim or event that was accepted and waits to be applied, in its customer's order. */
@Entity({ name: 'inbox' })
@Check('inbox_kind_check', "kind = ANY (ARRAY['claim'::text, 'event'::text])")
@Index('inbox_item_idx', ['appId', 'itemId'])
export class InboxEntity extends OfApp {
  @PrimaryColumn({ type: 'text' })
  customerId: string;

  @PrimaryColumn({ type: 'bigint' })
  sequence: number;

  @Column({ type: 'text' })
  kind: string;

  @Column({ type: 'text' })
  itemId: string;

  @Column({ type: 'smallint' })
  purpose: number;

  @Column({ type: 'integer' })
  epoch: number;

  @Column({ type: 'jsonb' })
  payload: object;

  @Column({ type: 'text', nullable: true })
  workflowId: string | null;

  @Column({ type: 'integer', default: 0 })
  attempts: number;

  @Column({ type: 'timestamptz', precision: 3 })
  acceptedAt: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  failedAt: Date | null;
}
