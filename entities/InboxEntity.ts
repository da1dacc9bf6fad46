import { Check, Entity, Index } from 'typeorm';
import { Big, Integer, Json, Key, Small, Text, Time } from './columns.js';
import { OfApp } from './OfApp.js';

/** An accepted claim or event that waits to be applied, in its customer's order. */
@Entity({ name: 'inbox' })
@Check('inbox_kind_check', "kind = ANY (ARRAY['claim'::text, 'event'::text])")
@Index('inbox_item_idx', ['appId', 'itemId'])
export class InboxEntity extends OfApp {
  @Key() customerId: string;
  @Big({ primary: true }) sequence: number;
  @Text() kind: string;
  @Text() itemId: string;
  @Small() purpose: number;
  @Integer() epoch: number;
  @Json() payload: object;
  @Text({ nullable: true }) workflowId: string | null;
  @Integer({ default: 0 }) attempts: number;
  @Time() acceptedAt: Date;
  @Time({ nullable: true }) failedAt: Date | null;
}
