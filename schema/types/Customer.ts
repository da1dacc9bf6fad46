import { Field, ID, ObjectType } from 'type-graphql';
import type { JsonObject } from '../../src/domain/jsonValue.js';
import { connectionOf } from '../connection.js';
import { UpsertStatus } from '../enums.js';
import { DateTimeScalar, JsonObjectScalar } from '../scalars.js';
import { Node } from './Node.js';

@ObjectType()
export class PublicLocation {
  @Field(() => String, { nullable: true })
  city?: string | null;

  @Field(() => String, { nullable: true })
  state?: string | null;

  @Field(() => String, { nullable: true })
  country?: string | null;

  @Field(() => String, { nullable: true })
  metroCode?: string | null;
}

@ObjectType({ description: 'Public display fields only.' })
export class CustomerProfile {
  @Field(() => String, { nullable: true })
  username?: string | null;

  @Field(() => String, { nullable: true })
  bioMarkdown?: string | null;

  @Field(() => String, { nullable: true })
  avatarUrl?: string | null;

  @Field(() => String, { nullable: true })
  bannerUrl?: string | null;

  @Field(() => PublicLocation, { nullable: true })
  publicLocation?: PublicLocation | null;
}

@ObjectType({ implements: Node, description: "A partner's customer." })
export class Customer {
  @Field(() => ID)
  id: string;

  @Field(() => ID)
  appId: string;

  @Field(() => String, { description: "The partner's own user identifier." })
  externalId: string;

  @Field(() => String, { description: '`active` is the only value today.' })
  status: string;

  @Field(() => CustomerProfile, { nullable: true })
  profile?: CustomerProfile | null;

  @Field(() => JsonObjectScalar, { nullable: true })
  metadata?: JsonObject | null;

  @Field(() => DateTimeScalar)
  createdAt: string;

  @Field(() => DateTimeScalar)
  updatedAt: string;
}

export const CustomerConnection = connectionOf('Customer', () => Customer);

@ObjectType()
export class CreateCustomerPayload {
  @Field(() => UpsertStatus)
  status: 'created' | 'updated' | 'unchanged';

  @Field(() => Customer)
  customer: Customer;
}

@ObjectType()
export class DeletedPayload {
  @Field(() => ID, { description: 'The id that no longer leads anywhere.' })
  id: string;
}
