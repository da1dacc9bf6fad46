import { Field, InputType } from 'type-graphql';
import type { Purpose } from '../../src/domain/purposes.js';
import type { Scope } from '../../src/domain/scopes.js';
import { agreeingScopes, picture, redirectUri, webUrl } from '../checks.js';
import { Constrained } from '../../src/access/constrained.js';
import { AppStatus, ClientType, ConsentPurpose, SecretExpiry } from '../enums.js';
import { ScopeScalar } from '../scalars.js';

@InputType()
class AppIdentityInput {
  @Field(() => String, {
    nullable: true,
    description:
      "The partner's home page, shown to people who decide. Null: none. With an administrative key alone.",
  })
  @Constrained(webUrl)
  clientUri?: string | null;

  @Field(() => String, { nullable: true, description: "The partner's terms of service, likewise." })
  @Constrained(webUrl)
  tosUri?: string | null;

  @Field(() => String, { nullable: true, description: "The partner's privacy policy, likewise." })
  @Constrained(webUrl)
  policyUri?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'A PNG, JPEG or WebP picture in base64: at most 256 KiB, 4,096 pixels wide and high. Kept as a square PNG. Null: none. With an administrative key alone.',
  })
  @Constrained(picture)
  logo?: string | null;
}

@InputType({ description: 'A partner application to register.' })
@Constrained(agreeingScopes)
export class CreateAppInput extends AppIdentityInput {
  @Field(() => String)
  @Constrained({ minLength: 1, maxLength: 200 })
  name: string;

  @Field(() => [String])
  @Constrained({ minItems: 1, maxItems: 50, ...redirectUri })
  redirectUris: string[];

  @Field(() => ClientType, { nullable: true, description: 'Default: confidential.' })
  clientType?: 'public' | 'confidential' | null;

  @Field(() => [ScopeScalar], { nullable: true, description: 'Required, here or as `scopes`.' })
  @Constrained({ minItems: 1, maxItems: 50 })
  allowedScopes?: Scope[] | null;

  @Field(() => [ScopeScalar], {
    nullable: true,
    description: 'Backwards-compatible alias of `allowedScopes`; given together they must be equal.',
  })
  @Constrained({ minItems: 1, maxItems: 50 })
  scopes?: Scope[] | null;

  @Field(() => [ConsentPurpose], { nullable: true, description: 'Absent: all; empty: none.' })
  @Constrained({ maxItems: 50 })
  allowedConsentPurposes?: Purpose[] | null;

  @Field(() => [ScopeScalar], {
    nullable: true,
    description: 'The ceiling of what the app may allow itself later. Absent: `allowedScopes`.',
  })
  @Constrained({ minItems: 1, maxItems: 50 })
  grantedScopes?: Scope[] | null;

  @Field(() => [ConsentPurpose], {
    nullable: true,
    description: 'The ceiling of `allowedConsentPurposes`. Absent: `allowedConsentPurposes`; null: all.',
  })
  @Constrained({ maxItems: 50 })
  grantedConsentPurposes?: Purpose[] | null;

  @Field(() => String, { nullable: true })
  @Constrained(webUrl)
  webhookDefaultUrl?: string | null;
}

@InputType({
  description: 'What to change of an app; what is absent stays. A token changes it within what is granted.',
})
export class UpdateAppInput extends AppIdentityInput {
  @Field(() => String, { nullable: true })
  @Constrained({ minLength: 1, maxLength: 200 })
  name?: string | null;

  @Field(() => [String], { nullable: true })
  @Constrained({ minItems: 1, maxItems: 50, ...redirectUri })
  redirectUris?: string[] | null;

  @Field(() => [ScopeScalar], { nullable: true })
  @Constrained({ minItems: 1, maxItems: 50 })
  allowedScopes?: Scope[] | null;

  @Field(() => [ConsentPurpose], { nullable: true })
  @Constrained({ maxItems: 50 })
  allowedConsentPurposes?: Purpose[] | null;

  @Field(() => [ScopeScalar], {
    nullable: true,
    description:
      'The ceiling of `allowedScopes`. With an administrative key alone; absent, it follows the `allowedScopes` given.',
  })
  @Constrained({ minItems: 1, maxItems: 50 })
  grantedScopes?: Scope[] | null;

  @Field(() => [ConsentPurpose], {
    nullable: true,
    description: 'The ceiling of `allowedConsentPurposes`, likewise. Null: all.',
  })
  @Constrained({ maxItems: 50 })
  grantedConsentPurposes?: Purpose[] | null;

  @Field(() => AppStatus, { nullable: true })
  status?: 'active' | 'disabled' | null;
}

@InputType({ description: 'What becomes of the present client secret.' })
export class RotateAppSecretInput {
  @Field(() => SecretExpiry, {
    nullable: true,
    description:
      'When the present secret ends; default: `IN_24H`. Each former one keeps the rest of its own 24 hours.',
  })
  expireCurrent?: 'now' | 'in_24h' | null;
}
