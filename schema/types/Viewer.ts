import { Field, ID, ObjectType } from 'type-graphql';
import type { Scope } from '../../src/domain/scopes.js';
import { ViewerKind } from '../enums.js';
import { ScopeScalar } from '../scalars.js';

@ObjectType({ description: 'The account of a person who signed in.' })
export class ViewerAccount {
  @Field(() => ID, { description: 'The account, `acc_…`; the `sub` of its tokens.' })
  id: string;

  @Field(() => String, { description: 'The e-mail address that the account signs in with.' })
  email: string;
}

@ObjectType({ description: 'Who makes the request, as its credential says.' })
export class Viewer {
  @Field(() => ViewerKind, { description: 'What kind of credential the request carries.' })
  kind: 'account' | 'client' | 'operator';

  @Field(() => ID, {
    nullable: true,
    description: 'The app for which the token was issued; null for an operator.',
  })
  appId: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The OAuth client of the token; null for an operator.',
  })
  clientId: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'The account that signed in; null unless `kind` is `ACCOUNT`.',
  })
  accountId: string | null;

  @Field(() => [ScopeScalar], {
    description:
      'What the token may do now, sorted by name. Empty for an operator, whose key opens fields of its own.',
  })
  scopes: Scope[];
}
