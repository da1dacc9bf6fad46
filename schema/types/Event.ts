import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import type { JsonObject } from '../../src/domain/jsonValue.js';
import type { Purpose } from '../../src/domain/purposes.js';
import { connectionOf } from '../connection.js';
import { ConsentPurpose, EventStatus, IntentCategoryType } from '../enums.js';
import { DateTimeScalar, JsonObjectScalar } from '../scalars.js';
import { ItemError } from './Claim.js';
import { Node } from './Node.js';

@ObjectType({ description: 'Why an event was rejected or failed.' })
export class EventError {
  @Field(() => String)
  code: string;

  @Field(() => String)
  message: string;
}

@ObjectType({
  implements: Node,
  description:
    'An event and what has become of it. Once its purpose was closed only its id, place, status, error and times are given out.',
})
export class Event {
  @Field(() => ID, { description: 'The same as `eventId`.' })
  id: string;

  @Field(() => ID)
  eventId: string;

  @Field(() => EventStatus)
  status: string;

  @Field(() => Int, { description: "Place in the customer's series of events and claims." })
  sequence: number;

  @Field(() => EventError, { nullable: true })
  error?: EventError | null;

  @Field(() => DateTimeScalar)
  acceptedAt: string;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When it was processed, rejected or given up.',
  })
  processedAt?: string | null;

  @Field(() => ID, { nullable: true })
  customerId?: string | null;

  @Field(() => String, { nullable: true })
  eventType?: string | null;

  @Field(() => ID, { nullable: true, description: 'The entry that the event is about.' })
  object?: string | null;

  @Field(() => ConsentPurpose, { nullable: true })
  consentPurpose?: Purpose | null;

  @Field(() => DateTimeScalar, { nullable: true })
  occurredAt?: string | null;

  @Field(() => IntentCategoryType, { nullable: true })
  intentCategory?: string | null;

  @Field(() => JsonObjectScalar, { nullable: true })
  properties?: JsonObject | null;

  @Field(() => String, { nullable: true })
  source?: string | null;

  @Field(() => Float, { nullable: true })
  confidence?: number | null;

  @Field(() => String, { nullable: true })
  eventKey?: string | null;
}

export const EventConnection = connectionOf('Event', () => Event);

@ObjectType({ description: 'An event that is durable and will be processed in order.' })
export class IngestEventPayload {
  @Field(() => ID)
  eventId: string;

  @Field(() => EventStatus, { description: '`accepted`; of a repeat, what has become of the first.' })
  status: string;

  @Field(() => Int, { description: "Place in the customer's series of events and claims; grows by one." })
  sequence: number;

  @Field(() => DateTimeScalar)
  acceptedAt: string;

  @Field(() => String, { description: 'Path of the event in the REST interface.' })
  statusUrl: string;
}

@ObjectType()
export class IngestEventsItem {
  @Field(() => Int)
  index: number;

  @Field(() => EventStatus)
  status: string;

  @Field(() => ID, { nullable: true })
  eventId?: string | null;

  @Field(() => Int, { nullable: true })
  sequence?: number | null;

  @Field(() => ItemError, { nullable: true })
  error?: ItemError | null;
}

@ObjectType()
export class IngestEventsPayload {
  @Field(() => Int)
  accepted: number;

  @Field(() => Int)
  rejected: number;

  @Field(() => [IngestEventsItem], { description: 'One entry per item, in the order sent.' })
  data: IngestEventsItem[];
}
