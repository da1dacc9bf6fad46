import { Field, InputType } from 'type-graphql';
import type { JsonObject } from '../../src/domain/jsonValue.js';
import { customerData, displayText, keptExternalId, profileUrl } from '../checks.js';
import { Constrained } from '../../src/access/constrained.js';
import { JsonObjectScalar } from '../scalars.js';

@InputType()
export class PublicLocationInput {
  @Field(() => String, { nullable: true })
  @Constrained(displayText(200))
  city?: string | null;

  @Field(() => String, { nullable: true })
  @Constrained(displayText(200))
  state?: string | null;

  @Field(() => String, { nullable: true })
  @Constrained(displayText(200))
  country?: string | null;

  @Field(() => String, { nullable: true })
  @Constrained(displayText(32))
  metroCode?: string | null;
}

@InputType({
  description: 'Public display fields only. Payment, government-id and credential data is refused.',
})
export class CustomerProfileInput {
  @Field(() => String, { nullable: true })
  @Constrained(displayText(200))
  username?: string | null;

  @Field(() => String, { nullable: true })
  @Constrained(displayText(10_000))
  bioMarkdown?: string | null;

  @Field(() => String, { nullable: true })
  @Constrained(profileUrl)
  avatarUrl?: string | null;

  @Field(() => String, { nullable: true })
  @Constrained(profileUrl)
  bannerUrl?: string | null;

  @Field(() => PublicLocationInput, { nullable: true })
  publicLocation?: PublicLocationInput | null;
}

@InputType({
  description:
    'A customer, created or updated by `externalId`. An omitted field stays; a given one replaces the whole object.',
})
export class CreateCustomerInput {
  @Field(() => String, { description: "The partner's own user identifier." })
  @Constrained({ minLength: 1, maxLength: 255 })
  externalId: string;

  @Field(() => CustomerProfileInput, { nullable: true })
  profile?: CustomerProfileInput | null;

  @Field(() => JsonObjectScalar, { nullable: true })
  @Constrained(customerData)
  metadata?: JsonObject | null;
}

@InputType({ description: 'A merge patch (RFC 7386): null removes, objects are merged, the rest replaces.' })
@Constrained(keptExternalId)
export class UpdateCustomerInput {
  @Field(() => String, { nullable: true })
  @Constrained({ minLength: 1, maxLength: 255 })
  externalId?: string | null;

  @Field(() => CustomerProfileInput, { nullable: true })
  profile?: CustomerProfileInput | null;

  @Field(() => JsonObjectScalar, { nullable: true })
  @Constrained(customerData)
  metadata?: JsonObject | null;
}
