import { Entity, Index } from 'typeorm';
import { Big, Integer, IntegerList, Json, Key, Text, Time } from './columns.js';
import { OfApp } from './OfApp.js';

/** A change to report to webhook endpoints, written in the transaction of the change. */
@Entity({ name: 'outbox' })
@Index('outbox_position_idx', ['appId', 'position'])
export class OutboxEntity extends OfApp {
  @Key() messageId: string;
  @Text() type: string;
  @Json() data: object;
  @Text({ nullable: true }) customerId: string | null;
  @Integer({ default: 0 }) purposeMask: number;
  @IntegerList({ nullable: true }) epochs: number[] | null;
  @Time() createdAt: Date;
  @Big({ generated: 'identity', generatedIdentity: 'ALWAYS' }) position: number;
}
