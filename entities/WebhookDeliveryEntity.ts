import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OfApp } from './OfApp.js';

/** One message to one endpoint. `position` is the message's place among the app's changes. */
@Entity({ name: 'webhook_deliveries' })
@ForeignKey('webhook_endpoints', ['appId', 'endpointId'], ['appId', 'endpointId'], { onDelete: 'CASCADE' })
@ForeignKey('customers', ['appId', 'customerId'], ['appId', 'customerId'], { onDelete: 'CASCADE' })
@Check('webhook_deliveries_status_check', `status IN ('pending', 'delivered', 'failed', 'dropped')`)
@Index('webhook_deliveries_endpoint_idx', ['appId', 'endpointId', 'deliveryId'])
@Index('webhook_deliveries_changed_idx', ['appId', 'endpointId', 'updatedAt', 'deliveryId'])
@Index('webhook_deliveries_customer_idx', ['appId', 'customerId'])
@Index('webhook_deliveries_due_idx', ['appId', 'endpointId', 'nextAttemptAt', 'position'], {
  where: `status = 'pending'`,
})
@Index('webhook_deliveries_ended_idx', ['appId', 'updatedAt'], { where: `status <> 'pending'` })
@Index('webhook_deliveries_leased_idx', ['appId', 'endpointId'], { where: 'lease IS NOT NULL' })
export class WebhookDeliveryEntity extends OfApp {
  @PrimaryColumn({ type: 'text' })
  deliveryId: string;

  @Column({ type: 'text' })
  endpointId: string;

  @Column({ type: 'bigint' })
  position: number;

  /** The number that the receiver sees, given at the first attempt. */
  @Column({ type: 'bigint', nullable: true })
  sequence: number | null;

  @Column({ type: 'text' })
  eventType: string;

  @Column({ type: 'jsonb' })
  data: Record<string, unknown>;

  @Column({ type: 'text', nullable: true })
  customerId: string | null;

  /** Purposes of which one must be open, in the epoch of the change, when the message is sent. */
  @Column({ type: 'integer', default: 0 })
  purposeMask: number;

  @Column({ type: 'integer', array: true, nullable: true })
  epochs: number[] | null;

  @Column({ type: 'timestamptz', precision: 3 })
  occurredAt: Date;

  @Column({ type: 'text' })
  status: string;

  @Column({ type: 'text', nullable: true })
  errorCode: string | null;

  @Column({ type: 'integer', default: 0 })
  attempts: number;

  /** Attempts made before the schedule began anew by a redelivery. */
  @Column({ type: 'integer', default: 0 })
  earlierAttempts: number;

  /** While leased: the end of the lease. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  nextAttemptAt: Date | null;

  @Column({ type: 'text', nullable: true })
  lease: string | null;

  @Column({ type: 'text', nullable: true })
  workflowId: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
