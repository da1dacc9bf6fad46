import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** One request to a receiver and what came of it. The answer is kept as safe text, a kilobyte of it. */
@Entity({ name: 'webhook_attempts' })
@ForeignKey('webhook_deliveries', ['appId', 'deliveryId'], ['appId', 'deliveryId'], {
  name: 'webhook_attempts_delivery_fkey',
  onDelete: 'CASCADE',
})
export class WebhookAttemptEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text', primaryKeyConstraintName: 'webhook_attempts_pkey' })
  appId: string;

  @PrimaryColumn({ name: 'delivery_id', type: 'text', primaryKeyConstraintName: 'webhook_attempts_pkey' })
  deliveryId: string;

  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'webhook_attempts_pkey' })
  attempt: number;

  @Column({ name: 'started_at', type: 'timestamptz', precision: 3 })
  startedAt: Date;

  @Column({ name: 'duration_ms', type: 'integer' })
  durationMs: number;

  @Column({ name: 'status_code', type: 'integer', nullable: true })
  statusCode: number | null;

  @Column({ name: 'error_code', type: 'text', nullable: true })
  errorCode: string | null;

  @Column({ name: 'response_body', type: 'text', nullable: true })
  responseBody: string | null;
}
