import { ID, ObjectType } from 'type-graphql';
import type { StoredJson } from '../../src/documents/FreeForm.js';
import type { JsonObject } from '../../src/domain/jsonValue.js';
import { connectionOf } from '../connection.js';
import { UpsertStatus } from '../enums.js';
import { NonNull, Nullable } from '../fields.js';
import { DateTimeScalar, JsonObjectScalar } from '../scalars.js';
import { Node } from './Node.js';

@ObjectType({ description: 'Where a customer says to be.' })
export class PublicLocation {
  @Nullable(() => String) city?: string | null;
  @Nullable(() => String, 'A state or region.') state?: string | null;
  @Nullable(() => String) country?: string | null;
  @Nullable(() => String) metroCode?: string | null;
}

@ObjectType({ description: 'Public display fields only.' })
export class CustomerProfile {
  @Nullable(() => String) username?: string | null;
  @Nullable(() => String) bioMarkdown?: string | null;
  @Nullable(() => String) avatarUrl?: string | null;
  @Nullable(() => String) bannerUrl?: string | null;
  @Nullable(() => PublicLocation) publicLocation?: PublicLocation | null;
}

@ObjectType({ implements: Node, description: "A partner's customer." })
export class Customer {
  @NonNull(() => ID) id: string;
  @NonNull(() => ID) appId: string;
  @NonNull(() => String, "The partner's own user identifier.") externalId: string;
  @NonNull(() => String, '`active` is the only value today.') status: string;
  @Nullable(() => CustomerProfile) profile?: CustomerProfile | null;
  @Nullable(() => JsonObjectScalar) metadata?: JsonObject | StoredJson | null;
  @NonNull(() => DateTimeScalar) createdAt: string;
  @NonNull(() => DateTimeScalar) updatedAt: string;
}

export const CustomerConnection = connectionOf('Customer', () => Customer);

@ObjectType({ description: 'The customer, and what the upsert did.' })
export class CreateCustomerPayload {
  @NonNull(() => UpsertStatus) status: 'created' | 'updated' | 'unchanged';
  @NonNull(() => Customer) customer: Customer;
}

@ObjectType({ description: 'What was deleted.' })
export class DeletedPayload {
  @NonNull(() => ID, 'The id that no longer leads anywhere.') id: string;
}
