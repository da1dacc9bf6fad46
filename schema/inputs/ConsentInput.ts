import { Field, ID, InputType } from 'type-graphql';
import type { Purpose } from '../../src/domain/purposes.js';
import { Constrained } from '../../src/access/constrained.js';
import { ConsentPurpose, RevocationReason } from '../enums.js';
import { DateTimeScalar } from '../scalars.js';

@InputType()
export class ConsentEvidenceInput {
  @Field(() => String, { nullable: true })
  @Constrained({ maxLength: 64 })
  ipAddress?: string | null;

  @Field(() => String, { nullable: true })
  @Constrained({ maxLength: 1024 })
  userAgent?: string | null;

  @Field(() => String, { nullable: true })
  @Constrained({ maxLength: 64 })
  locale?: string | null;

  @Field(() => DateTimeScalar, { nullable: true })
  collectedAt?: string | null;
}

@InputType({ description: 'Consent that a person gave.' })
export class CreateConsentReceiptInput {
  @Field(() => ID)
  @Constrained({ minLength: 1, maxLength: 128 })
  customerId: string;

  @Field(() => [ConsentPurpose])
  @Constrained({ minItems: 1, maxItems: 50 })
  purposes: Purpose[];

  @Field(() => String, { nullable: true })
  @Constrained({ minLength: 1, maxLength: 128 })
  termsVersion?: string | null;

  @Field(() => String, { nullable: true })
  @Constrained({ minLength: 1, maxLength: 128 })
  privacyPolicyVersion?: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'The authorized connection session that this receipt completes.',
  })
  @Constrained({ minLength: 1, maxLength: 128 })
  connectionSessionId?: string | null;

  @Field(() => ConsentEvidenceInput, { nullable: true })
  evidence?: ConsentEvidenceInput | null;
}

@InputType({ description: 'What to withdraw.' })
export class RevokeConsentReceiptInput {
  @Field(() => [ConsentPurpose], { nullable: true, description: 'Absent: every purpose on the receipt.' })
  @Constrained({ minItems: 1, maxItems: 50 })
  purposes?: Purpose[] | null;

  @Field(() => RevocationReason, { nullable: true, description: 'Default: other.' })
  reason?: string | null;

  @Field(() => String, { nullable: true })
  @Constrained({ maxLength: 2000 })
  note?: string | null;
}
