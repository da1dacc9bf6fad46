import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** A receiver of webhooks, its sealed secrets and how it has been answering. */
@Entity({ name: 'webhook_endpoints' })
@ForeignKey('apps', ['appId'], ['appId'], { name: 'webhook_endpoints_app_fkey', onDelete: 'CASCADE' })
@ForeignKey('apps', ['appId'], ['appId'], { name: 'webhook_endpoints_app_fkey', onDelete: 'CASCADE' })
@Check('webhook_endpoints_status_check', `status IN ('active', 'disabled')`)
@Check('webhook_endpoints_disabled_reason_check', `disabled_reason IN ('gone', 'failing', 'requested')`)
export class WebhookEndpointEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text', primaryKeyConstraintName: 'webhook_endpoints_pkey' })
  appId: string;

  @PrimaryColumn({ name: 'endpoint_id', type: 'text', primaryKeyConstraintName: 'webhook_endpoints_pkey' })
  endpointId: string;

  @Column({ type: 'text' })
  url: string;

  @Column({ name: 'enabled_events', type: 'text', array: true })
  enabledEvents: string[];

  @Column({ type: 'text' })
  status: string;

  @Column({ name: 'disabled_reason', type: 'text', nullable: true })
  disabledReason: string | null;

  @Column({ name: 'disabled_at', type: 'timestamptz', precision: 3, nullable: true })
  disabledAt: Date | null;

  /** Sealed by `SecretBox`, as is the one before. */
  @Column({ type: 'text' })
  secret: string;

  @Column({ name: 'previous_secret', type: 'text', nullable: true })
  previousSecret: string | null;

  @Column({ name: 'previous_secret_expires_at', type: 'timestamptz', precision: 3, nullable: true })
  previousSecretExpiresAt: Date | null;

  /** The number of the latest delivery that was attempted; grows by one under this row's lock. */
  @Column({ name: 'last_sequence', type: 'bigint', default: 0 })
  lastSequence: number;

  @Column({ name: 'consecutive_failures', type: 'integer', default: 0 })
  consecutiveFailures: number;

  @Column({ name: 'failing_since', type: 'timestamptz', precision: 3, nullable: true })
  failingSince: Date | null;

  @Column({ name: 'paused_until', type: 'timestamptz', precision: 3, nullable: true })
  pausedUntil: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
