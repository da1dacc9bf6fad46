import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { OfApp } from './OfApp.js';

/** One request to a receiver and what came of it. The answer is kept as safe text, a kilobyte of it. */
@Entity({ name: 'webhook_attempts' })
@ForeignKey('webhook_deliveries', ['appId', 'deliveryId'], ['appId', 'deliveryId'], { onDelete: 'CASCADE' })
export class WebhookAttemptEntity extends OfApp {
  @PrimaryColumn({ type: 'text' })
  deliveryId: string;

  @PrimaryColumn({ type: 'integer' })
  attempt: number;

  @Column({ type: 'timestamptz', precision: 3 })
  startedAt: Date;

  @Column({ type: 'integer' })
  durationMs: number;

  @Column({ type: 'integer', nullable: true })
  statusCode: number | null;

  @Column({ type: 'text', nullable: true })
  errorCode: string | null;

  @Column({ type: 'text', nullable: true })
  responseBody: string | null;
}
