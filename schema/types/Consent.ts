import { ID, ObjectType } from 'type-graphql';
import type { Purpose } from '../../src/domain/purposes.js';
import { connectionOf } from '../connection.js';
import { ConsentPurpose, PurposeStatus, ReceiptStatus, RevocationReason, WorkflowStatus } from '../enums.js';
import { NonNull, Nullable } from '../fields.js';
import { DateTimeScalar } from '../scalars.js';
import { Node } from './Node.js';

@ObjectType({ description: 'What was decided on one purpose.' })
export class PurposeConsent {
  @NonNull(() => ConsentPurpose) purpose: Purpose;
  @NonNull(() => PurposeStatus) status: 'granted' | 'revoked';
  @Nullable(() => DateTimeScalar) grantedAt?: string | null;
  @Nullable(() => DateTimeScalar) revokedAt?: string | null;
}

@ObjectType({ description: 'Circumstances under which consent was collected.' })
export class ConsentEvidence {
  @Nullable(() => String) ipAddress?: string | null;
  @Nullable(() => String) userAgent?: string | null;
  @Nullable(() => String) locale?: string | null;
  @Nullable(() => DateTimeScalar) collectedAt?: string | null;
}

@ObjectType({ implements: Node, description: 'A record that a person granted purposes.' })
export class ConsentReceipt {
  @NonNull(() => ID) id: string;
  @NonNull(() => ID) appId: string;
  @NonNull(() => ID) customerId: string;

  @NonNull(() => [PurposeConsent], 'Each purpose of the receipt with its state on this receipt.')
  purposes: PurposeConsent[];

  @Nullable(() => String) termsVersion?: string | null;
  @Nullable(() => String) privacyPolicyVersion?: string | null;
  @Nullable(() => ID, 'The connection session that led to the receipt.') connectionSessionId?: string | null;
  @Nullable(() => ConsentEvidence) evidence?: ConsentEvidence | null;
  @NonNull(() => ReceiptStatus) status: 'active' | 'partially_revoked' | 'revoked';
  @NonNull(() => DateTimeScalar) grantedAt: string;
  @Nullable(() => DateTimeScalar) revokedAt?: string | null;
  @Nullable(() => RevocationReason, 'Of the latest revocation.') revocationReason?: string | null;
  @Nullable(() => String, 'What the partner noted at the latest revocation.') revocationNote?: string | null;
}

export const ConsentReceiptConnection = connectionOf('ConsentReceipt', () => ConsentReceipt);

@ObjectType({
  description: "A customer's latest decision on every purpose ever decided, across all receipts.",
})
export class EffectiveConsent {
  @NonNull(() => ID) customerId: string;

  @NonNull(() => [PurposeConsent], 'Every purpose that was ever decided, with the latest decision on it.')
  purposes: PurposeConsent[];

  @NonNull(() => DateTimeScalar, 'When the consent was evaluated: now.') evaluatedAt: string;
  @Nullable(() => ID, 'The newest receipt of the customer.') latestReceiptId?: string | null;
}

@ObjectType({ description: 'A revocation in force already, and the workflow that erases what it closed.' })
export class RevokeConsentReceiptPayload {
  @NonNull(() => ID) workflowId: string;
  @NonNull(() => WorkflowStatus) status: 'accepted';
  @NonNull(() => DateTimeScalar) acceptedAt: string;
  @NonNull(() => String, 'Path of the workflow in the REST interface.') statusUrl: string;
}
