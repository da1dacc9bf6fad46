import { Field, ID, ObjectType } from 'type-graphql';
import type { Scope } from '../../src/domain/scopes.js';
import { connectionOf } from '../connection.js';
import { DateTimeScalar, ScopeScalar } from '../scalars.js';

@ObjectType({ description: 'An account that works for the app.' })
export class AppMember {
  @Field(() => ID)
  accountId: string;

  @Field(() => String)
  email: string;

  @Field(() => [ScopeScalar], { description: 'The most that tokens of this member can do.' })
  scopes: Scope[];

  @Field(() => DateTimeScalar)
  createdAt: string;

  @Field(() => DateTimeScalar)
  updatedAt: string;
}

export const AppMemberConnection = connectionOf('AppMember', () => AppMember);
