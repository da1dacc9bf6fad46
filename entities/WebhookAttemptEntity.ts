import { Entity, ForeignKey } from 'typeorm';
import { Integer, Key, Text, Time } from './columns.js';
import { OfApp } from './OfApp.js';

/** One request to a receiver and its outcome. Up to a kilobyte of the answer is stored as safe text. */
@Entity({ name: 'webhook_attempts' })
@ForeignKey('webhook_deliveries', ['appId', 'deliveryId'], ['appId', 'deliveryId'], { onDelete: 'CASCADE' })
export class WebhookAttemptEntity extends OfApp {
  @Key() deliveryId: string;
  @Integer({ primary: true }) attempt: number;
  @Time() startedAt: Date;
  @Integer() durationMs: number;
  @Integer({ nullable: true }) statusCode: number | null;
  @Text({ nullable: true }) errorCode: string | null;
  @Text({ nullable: true }) responseBody: string | null;
}
