import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A claim or event that was accepted and waits to be applied, in its customer's order. */
@Entity({ name: 'inbox' })
@Check('inbox_kind_check', "kind = ANY (ARRAY['claim'::text, 'event'::text])")
@Index('inbox_item_idx', ['appId', 'itemId'])
export class InboxEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text', primaryKeyConstraintName: 'inbox_pkey' })
  appId: string;

  @PrimaryColumn({ name: 'customer_id', type: 'text', primaryKeyConstraintName: 'inbox_pkey' })
  customerId: string;

  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'inbox_pkey' })
  sequence: number;

  @Column({ type: 'text' })
  kind: string;

  @Column({ name: 'item_id', type: 'text' })
  itemId: string;

  @Column({ type: 'smallint' })
  purpose: number;

  @Column({ type: 'integer' })
  epoch: number;

  @Column({ type: 'jsonb' })
  payload: object;

  @Column({ name: 'workflow_id', type: 'text', nullable: true })
  workflowId: string | null;

  @Column({ type: 'integer', default: 0 })
  attempts: number;

  @Column({ name: 'accepted_at', type: 'timestamptz', precision: 3 })
  acceptedAt: Date;

  @Column({ name: 'failed_at', type: 'timestamptz', precision: 3, nullable: true })
  failedAt: Date | null;
}
