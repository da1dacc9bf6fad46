import { ID, ObjectType } from 'type-graphql';
import type { Scope } from '../../src/domain/scopes.js';
import { connectionOf } from '../connection.js';
import { NonNull } from '../fields.js';
import { DateTimeScalar, ScopeScalar } from '../scalars.js';

@ObjectType({ description: 'An account that works for the app.' })
export class AppMember {
  @NonNull(() => ID, 'The account, `acc_…`.') accountId: string;
  @NonNull(() => String, 'The e-mail address of the account.') email: string;
  @NonNull(() => [ScopeScalar], 'The most that tokens of this member can do.') scopes: Scope[];
  @NonNull(() => DateTimeScalar) createdAt: string;
  @NonNull(() => DateTimeScalar) updatedAt: string;
}

export const AppMemberConnection = connectionOf('AppMember', () => AppMember);
