import { Field, ID, ObjectType } from 'type-graphql';
import type { Purpose } from '../../src/domain/purposes.js';
import type { Scope } from '../../src/domain/scopes.js';
import { AppStatus, ClientType, ConsentPurpose } from '../enums.js';
import { DateTimeScalar, ScopeScalar } from '../scalars.js';
import { Node } from './Node.js';

@ObjectType({
  implements: Node,
  description: 'A partner application. Every other record belongs to the app that created it.',
})
export class App {
  @Field(() => ID)
  id: string;

  @Field(() => String)
  name: string;

  @Field(() => String, { description: 'The OAuth client identifier.' })
  clientId: string;

  @Field(() => ClientType)
  clientType: 'public' | 'confidential';

  @Field(() => [String], {
    description: 'Where an authorization response or a finished connection may return to; matched exactly.',
  })
  redirectUris: string[];

  @Field(() => [ScopeScalar], {
    description: 'The most that any token of the app can do; within `grantedScopes`.',
  })
  allowedScopes: Scope[];

  @Field(() => [ConsentPurpose], {
    nullable: true,
    description: 'Purposes the app may ask for, within `grantedConsentPurposes`. Null: all; empty: none.',
  })
  allowedConsentPurposes?: Purpose[] | null;

  @Field(() => [ScopeScalar], {
    description:
      'The ceiling of `allowedScopes`, which the operator grants; changed with an administrative key alone.',
  })
  grantedScopes: Scope[];

  @Field(() => [ConsentPurpose], {
    nullable: true,
    description:
      'The ceiling of `allowedConsentPurposes`, which the operator grants; changed with an administrative key alone. Null: all.',
  })
  grantedConsentPurposes?: Purpose[] | null;

  @Field(() => AppStatus)
  status: 'active' | 'disabled';

  @Field(() => String, { nullable: true })
  webhookDefaultUrl?: string | null;

  @Field(() => String, { nullable: true, description: 'The home page of the partner. Set by the operator.' })
  clientUri?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The terms of service of the partner. Set by the operator.',
  })
  tosUri?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The privacy policy of the partner. Set by the operator.',
  })
  policyUri?: string | null;

  /** Of the logo; the resolver makes its address of it. */
  logoDigest?: string | null;

  @Field(() => DateTimeScalar)
  createdAt: string;

  @Field(() => DateTimeScalar)
  updatedAt: string;
}

@ObjectType({ description: 'A new app with its secret, which is shown only here.' })
export class CreateAppPayload {
  @Field(() => ID)
  appId: string;

  @Field(() => String)
  clientId: string;

  @Field(() => String, { nullable: true, description: 'Shown once; null for public clients.' })
  clientSecret?: string | null;

  @Field(() => String)
  name: string;

  @Field(() => [String])
  redirectUris: string[];

  @Field(() => [ScopeScalar], { description: 'The allowed scopes.' })
  scopes: Scope[];

  @Field(() => DateTimeScalar)
  createdAt: string;

  @Field(() => App)
  app: App;
}

@ObjectType({ description: 'An app with its new client secret, which is shown only here.' })
export class AppSecretPayload {
  @Field(() => App)
  app: App;

  @Field(() => String, { description: 'Shown once.' })
  clientSecret: string;
}
