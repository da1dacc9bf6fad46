import { ID, InputType, Int } from 'type-graphql';
import type { Purpose } from '../../src/domain/purposes.js';
import { ConsentPurpose } from '../enums.js';
import { NonNull, Nullable } from '../fields.js';

@InputType({ description: 'A person to be asked for consent.' })
export class CreateConnectionSessionInput {
  @NonNull(() => ID, { minLength: 1, maxLength: 128 }) customerId: string;
  @NonNull(() => [ConsentPurpose], { minItems: 1, maxItems: 50 }) requestedPurposes: Purpose[];

  @Nullable(() => String, "One of the app's redirect URIs; a closing page is shown without.", {
    maxLength: 2048,
  })
  redirectUri?: string | null;

  @Nullable(() => Int, 'Lifetime in seconds; default 1800.', { minimum: 60, maximum: 3600 })
  expiresIn?: number | null;
}
