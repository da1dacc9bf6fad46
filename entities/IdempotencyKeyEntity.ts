import { Entity, Index } from 'typeorm';
import { Flag, Key, Text, Time } from './columns.js';
import { OfApp } from './OfApp.js';

/** A used key, with the result to replay. The result is encrypted when it contains a secret. */
@Entity({ name: 'idempotency_keys' })
@Index('idempotency_keys_created_at_idx', ['appId', 'createdAt'])
export class IdempotencyKeyEntity extends OfApp {
  @Key() key: string;
  @Text() payloadHash: string;
  @Text({ nullable: true }) customerId: string | null;
  @Flag({ default: false }) sealed: boolean;
  @Text({ nullable: true }) result: string | null;
  @Time() createdAt: Date;
}
