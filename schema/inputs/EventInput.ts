import { Field, Float, ID, InputType } from 'type-graphql';
import type { IntentCategory } from '../../src/domain/intents/IntentRules.js';
import type { JsonObject } from '../../src/domain/jsonValue.js';
import type { Purpose } from '../../src/domain/purposes.js';
import { storedValue } from '../checks.js';
import { Constrained } from '../../src/access/constrained.js';
import { ConsentPurpose, IntentCategoryType } from '../enums.js';
import { DateTimeScalar, JsonObjectScalar } from '../scalars.js';

@InputType({ description: 'What a customer did, under a purpose that is granted.' })
export class IngestEventInput {
  @Field(() => ID)
  @Constrained({ minLength: 1, maxLength: 128 })
  customerId: string;

  // Evidence of intents names the attribute `event.<event_type>`, which must be an attribute's name.
  @Field(() => String)
  @Constrained({ pattern: /^[a-z][a-z0-9_.]{0,121}$/ })
  eventType: string;

  @Field(() => ID, { description: 'The entry that the event is about.' })
  @Constrained({ minLength: 1, maxLength: 128 })
  object: string;

  @Field(() => ConsentPurpose)
  consentPurpose: Purpose;

  @Field(() => DateTimeScalar)
  occurredAt: string;

  @Field(() => IntentCategoryType, {
    nullable: true,
    description: "Overrides the category of the event's type.",
  })
  intentCategory?: IntentCategory | null;

  @Field(() => JsonObjectScalar, { nullable: true })
  @Constrained(storedValue)
  properties?: JsonObject | null;

  @Field(() => String, { nullable: true, description: "Default: the app's name." })
  @Constrained({ minLength: 1, maxLength: 255 })
  source?: string | null;

  @Field(() => Float, { nullable: true, description: 'Default: 1.' })
  @Constrained({ minimum: 0, maximum: 1 })
  confidence?: number | null;

  @Field(() => String, { nullable: true, description: "The partner's own id, by which repeats are told." })
  @Constrained({ minLength: 1, maxLength: 255 })
  eventKey?: string | null;
}

@InputType({ description: 'Up to 500 events; each is accepted or rejected on its own.' })
export class IngestEventsInput {
  @Field(() => [IngestEventInput], { nullable: 'items' })
  @Constrained({ minItems: 1, maxItems: 500, batch: true })
  events: (IngestEventInput | null)[];
}
