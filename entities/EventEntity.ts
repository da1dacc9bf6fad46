import { Check, Entity, Index, Unique } from 'typeorm';
import { Big, Integer, Json, Key, Small, Text, Time } from './columns.js';
import { OfApp } from './OfApp.js';

/** A processed, rejected or failed event. It has no content after its purpose was closed. */
@Entity({ name: 'events' })
@Unique('events_event_id_key', ['appId', 'eventId'])
@Check('events_status_check', "status = ANY (ARRAY['processed'::text, 'rejected'::text, 'failed'::text])")
@Index('events_object_idx', ['appId', 'customerId', 'purpose', 'object', 'occurredAt', 'sequence'], {
  where: 'object IS NOT NULL',
})
@Index('events_list_idx', ['appId', 'status', 'purpose', 'eventId'])
@Index('events_customer_idx', ['appId', 'customerId', 'status', 'purpose', 'eventId'])
export class EventEntity extends OfApp {
  @Key() customerId: string;
  @Big({ primary: true }) sequence: number;
  @Text() eventId: string;
  @Text() status: string;
  @Small() purpose: number;
  @Integer() epoch: number;
  @Text({ nullable: true }) eventType: string | null;
  @Text({ nullable: true }) object: string | null;
  @Text({ nullable: true }) category: string | null;
  @Time({ nullable: true }) occurredAt: Date | null;
  @Json({ nullable: true }) payload: object | null;
  @Json({ nullable: true }) error: object | null;
  @Time() acceptedAt: Date;
  @Time() processedAt: Date;
}
