import { Field, ID, ObjectType } from 'type-graphql';
import type { Purpose } from '../../src/domain/purposes.js';
import { connectionOf } from '../connection.js';
import { ConsentPurpose, PurposeStatus, ReceiptStatus, RevocationReason, WorkflowStatus } from '../enums.js';
import { DateTimeScalar } from '../scalars.js';
import { Node } from './Node.js';

@ObjectType({ description: 'What was decided on one purpose.' })
export class PurposeConsent {
  @Field(() => ConsentPurpose)
  purpose: Purpose;

  @Field(() => PurposeStatus)
  status: 'granted' | 'revoked';

  @Field(() => DateTimeScalar, { nullable: true })
  grantedAt?: string | null;

  @Field(() => DateTimeScalar, { nullable: true })
  revokedAt?: string | null;
}

@ObjectType({ description: 'Circumstances under which consent was collected.' })
export class ConsentEvidence {
  @Field(() => String, { nullable: true })
  ipAddress?: string | null;

  @Field(() => String, { nullable: true })
  userAgent?: string | null;

  @Field(() => String, { nullable: true })
  locale?: string | null;

  @Field(() => DateTimeScalar, { nullable: true })
  collectedAt?: string | null;
}

@ObjectType({ implements: Node, description: 'A record that a person granted purposes.' })
export class ConsentReceipt {
  @Field(() => ID)
  id: string;

  @Field(() => ID)
  appId: string;

  @Field(() => ID)
  customerId: string;

  @Field(() => [PurposeConsent])
  purposes: PurposeConsent[];

  @Field(() => String, { nullable: true })
  termsVersion?: string | null;

  @Field(() => String, { nullable: true })
  privacyPolicyVersion?: string | null;

  @Field(() => ID, { nullable: true })
  connectionSessionId?: string | null;

  @Field(() => ConsentEvidence, { nullable: true })
  evidence?: ConsentEvidence | null;

  @Field(() => ReceiptStatus)
  status: 'active' | 'partially_revoked' | 'revoked';

  @Field(() => DateTimeScalar)
  grantedAt: string;

  @Field(() => DateTimeScalar, { nullable: true })
  revokedAt?: string | null;

  @Field(() => RevocationReason, { nullable: true, description: 'Of the latest revocation.' })
  revocationReason?: string | null;

  @Field(() => String, { nullable: true, description: 'What the partner noted at the latest revocation.' })
  revocationNote?: string | null;
}

export const ConsentReceiptConnection = connectionOf('ConsentReceipt', () => ConsentReceipt);

@ObjectType({
  description: "A customer's latest decision on every purpose ever decided, across all receipts.",
})
export class EffectiveConsent {
  @Field(() => ID)
  customerId: string;

  @Field(() => [PurposeConsent])
  purposes: PurposeConsent[];

  @Field(() => DateTimeScalar)
  evaluatedAt: string;

  @Field(() => ID, { nullable: true })
  latestReceiptId?: string | null;
}

@ObjectType({ description: 'A revocation in force already, and the workflow that erases what it closed.' })
export class RevokeConsentReceiptPayload {
  @Field(() => ID)
  workflowId: string;

  @Field(() => WorkflowStatus)
  status: 'accepted';

  @Field(() => DateTimeScalar)
  acceptedAt: string;

  @Field(() => String, { description: 'Path of the workflow in the REST interface.' })
  statusUrl: string;
}
