import { ID, ObjectType } from 'type-graphql';
import type { Scope } from '../../src/domain/scopes.js';
import { ViewerKind } from '../enums.js';
import { NonNull, Nullable } from '../fields.js';
import { ScopeScalar } from '../scalars.js';

@ObjectType({ description: 'The account of a person who signed in.' })
export class ViewerAccount {
  @NonNull(() => ID, 'The account, `acc_…`; the `sub` of its tokens.') id: string;
  @NonNull(() => String, 'The e-mail address that the account signs in with.') email: string;
}

@ObjectType({ description: 'Who makes the request, as its credential says.' })
export class Viewer {
  @NonNull(() => ViewerKind, 'What kind of credential the request carries.')
  kind: 'account' | 'client' | 'operator';

  @Nullable(() => ID, 'The app for which the token was issued; null for an operator.') appId: string | null;
  @Nullable(() => String, 'The OAuth client of the token; null for an operator.') clientId: string | null;

  @Nullable(() => ID, 'The account that signed in; null unless `kind` is `ACCOUNT`.')
  accountId: string | null;

  @NonNull(
    () => [ScopeScalar],
    'What the token may do now, sorted by name. Empty for an operator, whose key opens fields of its own.',
  )
  scopes: Scope[];
}
