import { Check, Entity, ForeignKey, Index } from 'typeorm';
import { Big, Integer, IntegerList, Json, Key, Text, Time, oneOf } from './columns.js';
import { OfApp } from './OfApp.js';

/** One message to one endpoint. `position` is the position of the message among the app's changes. */
@Entity({ name: 'webhook_deliveries' })
@ForeignKey('apps', ['appId'], ['appId'], { onDelete: 'CASCADE' })
@ForeignKey('customers', ['appId', 'customerId'], ['appId', 'customerId'], { onDelete: 'CASCADE' })
@Check('webhook_deliveries_status_check', oneOf('status', ['pending', 'delivered', 'failed', 'dropped']))
@Index('webhook_deliveries_endpoint_idx', ['appId', 'endpointId', 'deliveryId'])
@Index('webhook_deliveries_changed_idx', ['appId', 'endpointId', 'updatedAt', 'deliveryId'])
@Index('webhook_deliveries_customer_idx', ['appId', 'customerId'])
@Index('webhook_deliveries_due_idx', ['appId', 'endpointId', 'nextAttemptAt', 'position'], {
  where: `status = 'pending'`,
})
@Index('webhook_deliveries_ended_idx', ['appId', 'updatedAt'], { where: `status <> 'pending'` })
@Index('webhook_deliveries_leased_idx', ['appId', 'endpointId'], { where: 'lease IS NOT NULL' })
export class WebhookDeliveryEntity extends OfApp {
  @Key() deliveryId: string;
  /** Not a foreign key: a worker removes the deliveries of a deleted endpoint in steps. */
  @Text() endpointId: string;
  @Big() position: number;
  /** The number that the receiver sees, assigned at the first attempt. */
  @Big({ nullable: true }) sequence: number | null;
  @Text() eventType: string;
  @Json() data: Record<string, unknown>;
  @Text({ nullable: true }) customerId: string | null;
  /** Purposes of which at least one must be open, in the epoch of the change, when the message is sent. */
  @Integer({ default: 0 }) purposeMask: number;
  @IntegerList({ nullable: true }) epochs: number[] | null;
  @Time() occurredAt: Date;
  @Text() status: string;
  @Text({ nullable: true }) errorCode: string | null;
  @Integer({ default: 0 }) attempts: number;
  /** Attempts before a redelivery restarted the schedule. */
  @Integer({ default: 0 }) earlierAttempts: number;
  /** While leased: the end of the lease. */
  @Time({ nullable: true }) nextAttemptAt: Date | null;
  @Text({ nullable: true }) lease: string | null;
  @Text({ nullable: true }) workflowId: string | null;
  @Time() createdAt: Date;
  @Time() updatedAt: Date;
}
