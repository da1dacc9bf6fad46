import { InputType } from 'type-graphql';
import type { JsonObject } from '../../src/domain/jsonValue.js';
import { customerData, displayText, keptExternalId, profileUrl } from '../checks.js';
import { Constrained } from '../../src/access/constrained.js';
import { NonNull, Nullable } from '../fields.js';
import { JsonObjectScalar } from '../scalars.js';

@InputType({ description: 'Where a customer says to be.' })
export class PublicLocationInput {
  @Nullable(() => String, displayText(200)) city?: string | null;
  @Nullable(() => String, 'A state or region.', displayText(200)) state?: string | null;
  @Nullable(() => String, displayText(200)) country?: string | null;
  @Nullable(() => String, displayText(32)) metroCode?: string | null;
}

@InputType({
  description: 'Public display fields only. Payment, government-id and credential data is refused.',
})
export class CustomerProfileInput {
  @Nullable(() => String, displayText(200)) username?: string | null;
  @Nullable(() => String, displayText(10_000)) bioMarkdown?: string | null;
  @Nullable(() => String, profileUrl) avatarUrl?: string | null;
  @Nullable(() => String, profileUrl) bannerUrl?: string | null;
  @Nullable(() => PublicLocationInput) publicLocation?: PublicLocationInput | null;
}

@InputType({
  description:
    'A customer, created or updated by `externalId`. An omitted field stays; a given one replaces the whole object.',
})
export class CreateCustomerInput {
  @NonNull(() => String, "The partner's own user identifier.", { minLength: 1, maxLength: 255 })
  externalId: string;

  @Nullable(() => CustomerProfileInput) profile?: CustomerProfileInput | null;
  @Nullable(() => JsonObjectScalar, customerData) metadata?: JsonObject | null;
}

@InputType({ description: 'A merge patch (RFC 7386): null removes, objects are merged, the rest replaces.' })
@Constrained(keptExternalId)
export class UpdateCustomerInput {
  @Nullable(() => String, "The partner's own user identifier.", { minLength: 1, maxLength: 255 })
  externalId?: string | null;
  @Nullable(() => CustomerProfileInput) profile?: CustomerProfileInput | null;
  @Nullable(() => JsonObjectScalar, customerData) metadata?: JsonObject | null;
}
