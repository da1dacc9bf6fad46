import { Check, Entity, Index } from 'typeorm';
import type { JsonObject } from '../src/domain/jsonValue.js';
import { Big, Integer, Json, Key, Small, Text, Time } from './columns.js';
import { OfApp } from './OfApp.js';
import { columnsOf } from './rowOf.js';
import type { RowOf } from './rowOf.js';

/** An accepted claim or event that waits to be applied, in its customer's order. */
@Entity({ name: 'inbox' })
@Check('inbox_kind_check', "kind = ANY (ARRAY['claim'::text, 'event'::text])")
@Index('inbox_event_idx', ['appId', 'itemId'], { where: "kind = 'event'::text" })
export class InboxEntity extends OfApp {
  @Key() customerId: string;
  @Big({ primary: true }) sequence: number;
  @Text() kind: 'claim' | 'event';
  @Text() itemId: string;
  @Small() purpose: number;
  @Integer() epoch: number;
  @Json() payload: JsonObject;
  @Text({ nullable: true }) workflowId: string | null;
  @Integer({ default: 0 }) attempts: number;
  @Time() acceptedAt: Date;
  @Time({ nullable: true }) failedAt: Date | null;
}

export type InboxRow = RowOf<InboxEntity>;

export const INBOX_COLUMNS = columnsOf(InboxEntity);
