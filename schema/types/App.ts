import { ID, ObjectType } from 'type-graphql';
import type { Purpose } from '../../src/domain/purposes.js';
import type { Scope } from '../../src/domain/scopes.js';
import { AppStatus, ClientType, ConsentPurpose } from '../enums.js';
import { NonNull, Nullable } from '../fields.js';
import { DateTimeScalar, ScopeScalar } from '../scalars.js';
import { Node } from './Node.js';

@ObjectType({
  implements: Node,
  description: 'A partner application. Every other record belongs to the app that created it.',
})
export class App {
  @NonNull(() => ID) id: string;
  @NonNull(() => String) name: string;
  @NonNull(() => String, 'The OAuth client identifier.') clientId: string;
  @NonNull(() => ClientType, 'Whether the client can keep a secret.') clientType: 'public' | 'confidential';

  @NonNull(
    () => [String],
    'Where an authorization response or a finished connection may return to; matched exactly.',
  )
  redirectUris: string[];

  @NonNull(() => [ScopeScalar], 'The most that any token of the app can do; within `grantedScopes`.')
  allowedScopes: Scope[];

  @Nullable(
    () => [ConsentPurpose],
    'Purposes the app may ask for, within `grantedConsentPurposes`. Null: all; empty: none.',
  )
  allowedConsentPurposes?: Purpose[] | null;

  @NonNull(
    () => [ScopeScalar],
    'The ceiling of `allowedScopes`, which the operator grants; changed with an administrative key alone.',
  )
  grantedScopes: Scope[];

  @Nullable(
    () => [ConsentPurpose],
    'The ceiling of `allowedConsentPurposes`, which the operator grants; changed with an administrative key alone. Null: all.',
  )
  grantedConsentPurposes?: Purpose[] | null;

  @NonNull(() => AppStatus) status: 'active' | 'disabled';
  @Nullable(() => String) webhookDefaultUrl?: string | null;
  @Nullable(() => String, 'The home page of the partner. Set by the operator.') clientUri?: string | null;
  @Nullable(() => String, 'The terms of service of the partner. Set by the operator.') tosUri?: string | null;

  @Nullable(() => String, 'The privacy policy of the partner. Set by the operator.')
  policyUri?: string | null;

  /** The digest of the logo, from which the resolver builds its address. */
  logoDigest?: string | null;

  @NonNull(() => DateTimeScalar) createdAt: string;
  @NonNull(() => DateTimeScalar) updatedAt: string;
}

@ObjectType({ description: 'A new app with its secret, which is shown only here.' })
export class CreateAppPayload {
  @NonNull(() => ID, 'The app, `app_…`.') appId: string;
  @NonNull(() => String, 'The OAuth client identifier.') clientId: string;
  @Nullable(() => String, 'Shown once; null for public clients.') clientSecret?: string | null;
  @NonNull(() => String) name: string;
  @NonNull(() => [String]) redirectUris: string[];
  @NonNull(() => [ScopeScalar], 'The allowed scopes.') scopes: Scope[];
  @NonNull(() => DateTimeScalar) createdAt: string;
  @NonNull(() => App) app: App;
}

@ObjectType({ description: 'An app with its new client secret, which is shown only here.' })
export class AppSecretPayload {
  @NonNull(() => App) app: App;
  @NonNull(() => String, 'Shown once.') clientSecret: string;
}
