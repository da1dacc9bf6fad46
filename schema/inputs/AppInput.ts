import { InputType } from 'type-graphql';
import type { Purpose } from '../../src/domain/purposes.js';
import type { Scope } from '../../src/domain/scopes.js';
import { agreeingScopes, defaultReceiver, displayName, picture, redirectUri, webUrl } from '../checks.js';
import { Constrained } from '../../src/access/constrained.js';
import { AppStatus, ClientType, ConsentPurpose, SecretExpiry } from '../enums.js';
import { NonNull, Nullable } from '../fields.js';
import { ScopeScalar } from '../scalars.js';

const SHOWN_NAME =
  'The name that people are shown: one line with a visible character, without control and hidden characters and those that set the direction of text.';

@InputType()
class AppIdentityInput {
  @Nullable(
    () => String,
    "The partner's home page, shown to people who decide. Null: none. With an administrative key alone.",
    webUrl,
  )
  clientUri?: string | null;

  @Nullable(() => String, "The partner's terms of service, likewise.", webUrl) tosUri?: string | null;
  @Nullable(() => String, "The partner's privacy policy, likewise.", webUrl) policyUri?: string | null;

  @Nullable(
    () => String,
    'A PNG, JPEG or WebP picture in base64: at most 256 KiB, 4,096 pixels wide and high. Kept as a square PNG. Null: none. With an administrative key alone.',
    picture,
  )
  logo?: string | null;
}

@InputType({ description: 'A partner application to register.' })
@Constrained(agreeingScopes)
export class CreateAppInput extends AppIdentityInput {
  @NonNull(() => String, SHOWN_NAME, displayName) name: string;
  @NonNull(() => [String], { minItems: 1, maxItems: 50, ...redirectUri }) redirectUris: string[];
  @Nullable(() => ClientType, 'Default: confidential.') clientType?: 'public' | 'confidential' | null;

  @Nullable(() => [ScopeScalar], 'Required, here or as `scopes`.', { minItems: 1, maxItems: 50 })
  allowedScopes?: Scope[] | null;

  @Nullable(
    () => [ScopeScalar],
    'Backwards-compatible alias of `allowedScopes`; given together they must be equal.',
    { minItems: 1, maxItems: 50 },
  )
  scopes?: Scope[] | null;

  @Nullable(() => [ConsentPurpose], 'Absent: all; empty: none.', { maxItems: 50 })
  allowedConsentPurposes?: Purpose[] | null;

  @Nullable(
    () => [ScopeScalar],
    'The ceiling of what the app may allow itself later. Absent: `allowedScopes`.',
    { minItems: 1, maxItems: 50 },
  )
  grantedScopes?: Scope[] | null;

  @Nullable(
    () => [ConsentPurpose],
    'The ceiling of `allowedConsentPurposes`. Absent: `allowedConsentPurposes`; null: all.',
    { maxItems: 50 },
  )
  grantedConsentPurposes?: Purpose[] | null;

  @Nullable(() => String, defaultReceiver) webhookDefaultUrl?: string | null;
}

@InputType({
  description: 'What to change of an app; what is absent stays. A token changes it within what is granted.',
})
export class UpdateAppInput extends AppIdentityInput {
  @Nullable(() => String, SHOWN_NAME, displayName) name?: string | null;
  @Nullable(() => [String], { minItems: 1, maxItems: 50, ...redirectUri }) redirectUris?: string[] | null;
  @Nullable(
    () => [ScopeScalar],
    'Scopes that tokens of the app may have, within what the operator granted.',
    { minItems: 1, maxItems: 50 },
  )
  allowedScopes?: Scope[] | null;
  @Nullable(
    () => [ConsentPurpose],
    'Purposes that the app may use, within what the operator granted. Null: all; empty: none.',
    { maxItems: 50 },
  )
  allowedConsentPurposes?: Purpose[] | null;

  @Nullable(
    () => [ScopeScalar],
    'The ceiling of `allowedScopes`. With an administrative key alone; absent, it follows the `allowedScopes` given.',
    { minItems: 1, maxItems: 50 },
  )
  grantedScopes?: Scope[] | null;

  @Nullable(() => [ConsentPurpose], 'The ceiling of `allowedConsentPurposes`, likewise. Null: all.', {
    maxItems: 50,
  })
  grantedConsentPurposes?: Purpose[] | null;

  @Nullable(() => AppStatus) status?: 'active' | 'disabled' | null;
}

@InputType({ description: 'What becomes of the present client secret.' })
export class RotateAppSecretInput {
  @Nullable(
    () => SecretExpiry,
    'When the present secret ends; default: `IN_24H`. Each former one keeps the rest of its own 24 hours.',
  )
  expireCurrent?: 'now' | 'in_24h' | null;
}
