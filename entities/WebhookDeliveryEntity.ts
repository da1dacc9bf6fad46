import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** One message to one endpoint. `position` is the message's place among the app's changes. */
@Entity({ name: 'webhook_deliveries' })
@ForeignKey('webhook_endpoints', ['appId', 'endpointId'], ['appId', 'endpointId'], {
  name: 'webhook_deliveries_endpoint_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey('customers', ['appId', 'customerId'], ['appId', 'customerId'], {
  name: 'webhook_deliveries_customer_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey('customers', ['appId', 'customerId'], ['appId', 'customerId'], {
  name: 'webhook_deliveries_customer_fkey',
  onDelete: 'CASCADE',
})
@Check('webhook_deliveries_status_check', `status IN ('pending', 'delivered', 'failed', 'dropped')`)
@Index('webhook_deliveries_endpoint_idx', ['appId', 'endpointId', 'deliveryId'])
@Index('webhook_deliveries_changed_idx', ['appId', 'endpointId', 'updatedAt', 'deliveryId'])
@Index('webhook_deliveries_customer_idx', ['appId', 'customerId'])
@Index('webhook_deliveries_due_idx', ['appId', 'endpointId', 'nextAttemptAt', 'position'], {
  where: `status = 'pending'`,
})
@Index('webhook_deliveries_ended_idx', ['appId', 'updatedAt'], { where: `status <> 'pending'` })
@Index('webhook_deliveries_leased_idx', ['appId', 'endpointId'], { where: 'lease IS NOT NULL' })
export class WebhookDeliveryEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text', primaryKeyConstraintName: 'webhook_deliveries_pkey' })
  appId: string;

  @PrimaryColumn({ name: 'delivery_id', type: 'text', primaryKeyConstraintName: 'webhook_deliveries_pkey' })
  deliveryId: string;

  @Column({ name: 'endpoint_id', type: 'text' })
  endpointId: string;

  @Column({ type: 'bigint' })
  position: number;

  /** The number that the receiver sees, given at the first attempt. */
  @Column({ type: 'bigint', nullable: true })
  sequence: number | null;

  @Column({ name: 'event_type', type: 'text' })
  eventType: string;

  @Column({ type: 'jsonb' })
  data: Record<string, unknown>;

  @Column({ name: 'customer_id', type: 'text', nullable: true })
  customerId: string | null;

  /** Purposes of which one must be open, in the epoch of the change, when the message is sent. */
  @Column({ name: 'purpose_mask', type: 'integer', default: 0 })
  purposeMask: number;

  @Column({ type: 'integer', array: true, nullable: true })
  epochs: number[] | null;

  @Column({ name: 'occurred_at', type: 'timestamptz', precision: 3 })
  occurredAt: Date;

  @Column({ type: 'text' })
  status: string;

  @Column({ name: 'error_code', type: 'text', nullable: true })
  errorCode: string | null;

  @Column({ type: 'integer', default: 0 })
  attempts: number;

  /** Attempts made before the schedule began anew by a redelivery. */
  @Column({ name: 'earlier_attempts', type: 'integer', default: 0 })
  earlierAttempts: number;

  /** While leased: the end of the lease. */
  @Column({ name: 'next_attempt_at', type: 'timestamptz', precision: 3, nullable: true })
  nextAttemptAt: Date | null;

  @Column({ type: 'text', nullable: true })
  lease: string | null;

  @Column({ name: 'workflow_id', type: 'text', nullable: true })
  workflowId: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
