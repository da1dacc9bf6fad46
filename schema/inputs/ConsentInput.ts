import { ID, InputType } from 'type-graphql';
import type { Purpose } from '../../src/domain/purposes.js';
import { ConsentPurpose, RevocationReason } from '../enums.js';
import { NonNull, Nullable } from '../fields.js';
import { DateTimeScalar } from '../scalars.js';

@InputType({ description: 'How and when consent was collected.' })
export class ConsentEvidenceInput {
  @Nullable(() => String, { maxLength: 64 }) ipAddress?: string | null;
  @Nullable(() => String, { maxLength: 1024 }) userAgent?: string | null;
  @Nullable(() => String, { maxLength: 64 }) locale?: string | null;
  @Nullable(() => DateTimeScalar) collectedAt?: string | null;
}

@InputType({ description: 'Consent that a person gave.' })
export class CreateConsentReceiptInput {
  @NonNull(() => ID, { minLength: 1, maxLength: 128 }) customerId: string;

  @NonNull(() => [ConsentPurpose], 'The purposes that the person granted; within those allowed to the app.', {
    minItems: 1,
    maxItems: 50,
  })
  purposes: Purpose[];

  @Nullable(() => String, { minLength: 1, maxLength: 128 }) termsVersion?: string | null;
  @Nullable(() => String, { minLength: 1, maxLength: 128 }) privacyPolicyVersion?: string | null;

  @Nullable(() => ID, 'The authorized connection session that this receipt completes.', {
    minLength: 1,
    maxLength: 128,
  })
  connectionSessionId?: string | null;

  @Nullable(() => ConsentEvidenceInput) evidence?: ConsentEvidenceInput | null;
}

@InputType({ description: 'What to withdraw.' })
export class RevokeConsentReceiptInput {
  @Nullable(() => [ConsentPurpose], 'Absent: every purpose on the receipt.', { minItems: 1, maxItems: 50 })
  purposes?: Purpose[] | null;

  @Nullable(() => RevocationReason, 'Default: other.') reason?: string | null;

  @Nullable(
    () => String,
    "The partner's note: kept with the receipt, and part of what the person can export.",
    { maxLength: 2000 },
  )
  note?: string | null;
}
