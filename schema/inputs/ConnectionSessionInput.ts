import { Field, ID, InputType, Int } from 'type-graphql';
import type { Purpose } from '../../src/domain/purposes.js';
import { Constrained } from '../../src/access/constrained.js';
import { ConsentPurpose } from '../enums.js';

@InputType({ description: 'A person to be asked for consent.' })
export class CreateConnectionSessionInput {
  @Field(() => ID)
  @Constrained({ minLength: 1, maxLength: 128 })
  customerId: string;

  @Field(() => [ConsentPurpose])
  @Constrained({ minItems: 1, maxItems: 50 })
  requestedPurposes: Purpose[];

  @Field(() => String, {
    nullable: true,
    description: "One of the app's redirect URIs; a closing page is shown without.",
  })
  @Constrained({ maxLength: 2048 })
  redirectUri?: string | null;

  @Field(() => Int, { nullable: true, description: 'Lifetime in seconds; default 1800.' })
  @Constrained({ minimum: 60, maximum: 3600 })
  expiresIn?: number | null;
}
