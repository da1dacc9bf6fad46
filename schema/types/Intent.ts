import { Float, ID, ObjectType } from 'type-graphql';
import type { Purpose } from '../../src/domain/purposes.js';
import { connectionOf } from '../connection.js';
import { ConsentPurpose, IntentCategoryType } from '../enums.js';

import { Claim } from './Claim.js';
import { NonNull } from '../fields.js';

@ObjectType({ description: "What a customer's events say of an object." })
export class Intent {
  @NonNull(() => ID) id: string;
  @NonNull(() => IntentCategoryType, 'What kind of intent it is.') category: string;
  @NonNull(() => String, 'The entry.') object: string;
  @NonNull(() => Float, 'Probability that the intent holds, 0 to 1.') confidence: number;
  @NonNull(() => ConsentPurpose) consentPurpose: Purpose;

  @NonNull(() => [Claim], 'Its events as claims `event.<event_type>`, newest first, at most 20.')
  evidence: Claim[];
}

export const IntentConnection = connectionOf('Intent', () => Intent);
