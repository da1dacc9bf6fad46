import { Field, Float, ID, InputType } from 'type-graphql';
import type { IntentCategory } from '../../src/domain/intents/IntentRules.js';
import type { JsonObject } from '../../src/domain/jsonValue.js';
import type { Purpose } from '../../src/domain/purposes.js';
import { storedValue } from '../checks.js';
import { Constrained } from '../../src/access/constrained.js';
import { ConsentPurpose, IntentCategoryType } from '../enums.js';
import { NonNull, Nullable } from '../fields.js';
import { DateTimeScalar, JsonObjectScalar } from '../scalars.js';

@InputType({ description: 'What a customer did, under a purpose that is granted.' })
export class IngestEventInput {
  @NonNull(() => ID, { minLength: 1, maxLength: 128 }) customerId: string;

  // Evidence of intents names the attribute `event.<event_type>`, which must be an attribute's name.
  @NonNull(() => String, { pattern: /^[a-z][a-z0-9_.]{0,121}$/ }) eventType: string;
  @NonNull(() => ID, 'The entry that the event is about.', { minLength: 1, maxLength: 128 }) object: string;
  @NonNull(() => ConsentPurpose) consentPurpose: Purpose;
  @NonNull(() => DateTimeScalar) occurredAt: string;

  @Nullable(() => IntentCategoryType, "Overrides the category of the event's type.")
  intentCategory?: IntentCategory | null;

  @Nullable(() => JsonObjectScalar, 'Free-form facts about the event.', storedValue)
  properties?: JsonObject | null;

  @Nullable(() => String, "Default: the app's name.", { minLength: 1, maxLength: 255 })
  source?: string | null;

  @Nullable(() => Float, 'Default: 1.', { minimum: 0, maximum: 1 }) confidence?: number | null;

  @Nullable(() => String, "The partner's own id, by which repeats are told.", {
    minLength: 1,
    maxLength: 255,
  })
  eventKey?: string | null;
}

@InputType({
  description:
    'Up to 500 events; each is accepted or rejected on its own. GraphQL itself refuses the whole request for one that is no input of its type, such as one with an unknown member.',
})
export class IngestEventsInput {
  @Field(() => [IngestEventInput], { nullable: 'items', description: 'The events.' })
  @Constrained({ minItems: 1, maxItems: 500, batch: true })
  events: (IngestEventInput | null)[];
}
