import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import type { JsonValue } from '../../src/domain/jsonValue.js';
import type { Purpose } from '../../src/domain/purposes.js';
import { connectionOf } from '../connection.js';
import { AcceptanceStatus, ConsentPurpose } from '../enums.js';
import { AttributeValueScalar, DateTimeScalar } from '../scalars.js';

@ObjectType({ description: 'Where a claim came from.' })
export class Provenance {
  @Field(() => String)
  sourcePartner: string;

  @Field(() => DateTimeScalar)
  collectedAt: string;

  @Field(() => String, { nullable: true })
  sourceSystem?: string | null;

  @Field(() => String, { nullable: true })
  evidenceUrl?: string | null;
}

@ObjectType({ description: 'What one source says of one attribute of a customer, as it was observed.' })
export class Claim {
  @Field(() => ID)
  id: string;

  @Field(() => ID)
  customerId: string;

  @Field(() => String)
  attribute: string;

  @Field(() => AttributeValueScalar)
  value: JsonValue;

  @Field(() => String)
  source: string;

  @Field(() => DateTimeScalar)
  observedAt: string;

  @Field(() => String, { nullable: true })
  context?: string | null;

  @Field(() => ConsentPurpose)
  consentPurpose: Purpose;

  @Field(() => Float, { description: "The source's own confidence, 0 to 1." })
  confidence: number;

  @Field(() => Provenance)
  provenance: Provenance;
}

export const ClaimConnection = connectionOf('Claim', () => Claim);

@ObjectType({ description: 'A claim that is durable and will be applied in order.' })
export class IngestClaimPayload {
  @Field(() => ID)
  claimId: string;

  @Field(() => AcceptanceStatus)
  status: 'accepted';

  @Field(() => Int, { description: "Place in the customer's series of events and claims; grows by one." })
  sequence: number;

  @Field(() => ID)
  workflowId: string;

  @Field(() => String)
  statusUrl: string;
}

@ObjectType()
export class ItemErrorDetail {
  @Field(() => String)
  code: string;

  @Field(() => String)
  message: string;

  @Field(() => String, { nullable: true })
  field?: string | null;
}

@ObjectType({ description: 'Why one item of a batch was rejected.' })
export class ItemError {
  @Field(() => String)
  code: string;

  @Field(() => String)
  message: string;

  @Field(() => [ItemErrorDetail], { nullable: true })
  details?: readonly ItemErrorDetail[] | null;

  @Field(() => Int, {
    nullable: true,
    description: 'How many more problems there are than the 50 of `details`.',
  })
  detailsOmitted?: number | null;
}

@ObjectType()
export class IngestClaimsItem {
  @Field(() => Int)
  index: number;

  @Field(() => AcceptanceStatus)
  status: 'accepted' | 'rejected';

  @Field(() => ID, { nullable: true })
  claimId?: string | null;

  @Field(() => Int, { nullable: true })
  sequence?: number | null;

  @Field(() => ID, { nullable: true })
  workflowId?: string | null;

  @Field(() => String, { nullable: true })
  statusUrl?: string | null;

  @Field(() => ItemError, { nullable: true })
  error?: ItemError | null;
}

@ObjectType()
export class IngestClaimsPayload {
  @Field(() => Int)
  accepted: number;

  @Field(() => Int)
  rejected: number;

  @Field(() => [IngestClaimsItem], { description: 'One entry per item, in the order sent.' })
  data: IngestClaimsItem[];
}
