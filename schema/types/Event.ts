import { Float, ID, Int, ObjectType } from 'type-graphql';
import type { StoredJson } from '../../src/documents/FreeForm.js';
import type { Purpose } from '../../src/domain/purposes.js';
import { connectionOf } from '../connection.js';
import { ConsentPurpose, EventStatus, IntentCategoryType } from '../enums.js';
import { NonNull, Nullable } from '../fields.js';
import { DateTimeScalar, JsonObjectScalar } from '../scalars.js';
import { ItemError } from './Claim.js';
import { Node } from './Node.js';

@ObjectType({ description: 'Why an event was rejected or failed.' })
export class EventError {
  @NonNull(() => String) code: string;
  @NonNull(() => String) message: string;
}

@ObjectType({
  implements: Node,
  description:
    'An event and what has become of it. Once its purpose was closed only its id, place, status, error and times are given out.',
})
export class Event {
  @NonNull(() => ID, 'The same as `eventId`.') id: string;
  @NonNull(() => ID) eventId: string;
  @NonNull(() => EventStatus) status: string;
  @NonNull(() => Int, "Place in the customer's series of events and claims.") sequence: number;
  @Nullable(() => EventError) error?: EventError | null;
  @NonNull(() => DateTimeScalar) acceptedAt: string;
  @Nullable(() => DateTimeScalar, 'When it was processed, rejected or given up.') processedAt?: string | null;
  @Nullable(() => ID) customerId?: string | null;
  @Nullable(() => String) eventType?: string | null;
  @Nullable(() => ID, 'The entry that the event is about.') object?: string | null;
  @Nullable(() => ConsentPurpose) consentPurpose?: Purpose | null;
  @Nullable(() => DateTimeScalar) occurredAt?: string | null;
  @Nullable(() => IntentCategoryType, 'The kind of intent, where it is not that of the event type.')
  intentCategory?: string | null;

  @Nullable(() => JsonObjectScalar, 'Free-form facts about the event, as they were sent.')
  properties?: StoredJson | null;

  @Nullable(() => String) source?: string | null;
  @Nullable(() => Float) confidence?: number | null;
  @Nullable(() => String, "The partner's own id of the event: a repeat is answered with the first.")
  eventKey?: string | null;
}

export const EventConnection = connectionOf('Event', () => Event);

@ObjectType({ description: 'An event that is durable and will be processed in order.' })
export class IngestEventPayload {
  @NonNull(() => ID) eventId: string;
  @NonNull(() => EventStatus, '`accepted`; of a repeat, what has become of the first.') status: string;
  @NonNull(() => Int, "Place in the customer's series of events and claims; grows by one.") sequence: number;
  @NonNull(() => DateTimeScalar) acceptedAt: string;
  @NonNull(() => String, 'Path of the event in the REST interface.') statusUrl: string;
}

@ObjectType({ description: 'What became of one event of a batch.' })
export class IngestEventsItem {
  @NonNull(() => Int) index: number;
  @NonNull(() => EventStatus) status: string;
  @Nullable(() => ID) eventId?: string | null;
  @Nullable(() => Int) sequence?: number | null;
  @Nullable(() => ItemError) error?: ItemError | null;
}

@ObjectType({ description: 'What became of a batch of events.' })
export class IngestEventsPayload {
  @NonNull(() => Int, 'How many items were accepted.') accepted: number;
  @NonNull(() => Int) rejected: number;
  @NonNull(() => [IngestEventsItem], 'One entry per item, in the order sent.') data: IngestEventsItem[];
}
