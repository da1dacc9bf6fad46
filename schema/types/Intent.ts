import { Field, Float, ID, ObjectType } from 'type-graphql';
import type { Purpose } from '../../src/domain/purposes.js';
import { connectionOf } from '../connection.js';
import { ConsentPurpose, IntentCategoryType } from '../enums.js';

import { Claim } from './Claim.js';

@ObjectType({ description: "What a customer's events say of an object." })
export class Intent {
  @Field(() => ID)
  id: string;

  @Field(() => IntentCategoryType)
  category: string;

  @Field(() => String, { description: 'The entry.' })
  object: string;

  @Field(() => Float, { description: 'Probability that the intent holds, 0 to 1.' })
  confidence: number;

  @Field(() => ConsentPurpose)
  consentPurpose: Purpose;

  @Field(() => [Claim], {
    description: 'Its events as claims `event.<event_type>`, newest first, at most 20.',
  })
  evidence: Claim[];
}

export const IntentConnection = connectionOf('Intent', () => Intent);
