import { Field, Float, ID, InputType } from 'type-graphql';
import type { JsonValue } from '../../src/domain/jsonValue.js';
import type { Purpose } from '../../src/domain/purposes.js';
import { anyUri, attributeName, storedValue } from '../checks.js';
import { Constrained } from '../../src/access/constrained.js';
import { ConsentPurpose } from '../enums.js';
import { AttributeValueScalar, DateTimeScalar } from '../scalars.js';

@InputType()
export class ProvenanceInput {
  @Field(() => String)
  @Constrained({ minLength: 1, maxLength: 255 })
  sourcePartner: string;

  @Field(() => DateTimeScalar)
  collectedAt: string;

  @Field(() => String, { nullable: true })
  @Constrained({ minLength: 1, maxLength: 255 })
  sourceSystem?: string | null;

  @Field(() => String, { nullable: true })
  @Constrained(anyUri)
  evidenceUrl?: string | null;
}

@InputType({ description: 'A claim as a source observed it.' })
export class IngestClaimInput {
  @Field(() => ID)
  @Constrained({ minLength: 1, maxLength: 128 })
  customerId: string;

  @Field(() => String)
  @Constrained(attributeName)
  attribute: string;

  @Field(() => AttributeValueScalar)
  @Constrained(storedValue)
  value: JsonValue;

  @Field(() => String)
  @Constrained({ minLength: 1, maxLength: 255 })
  source: string;

  @Field(() => DateTimeScalar)
  observedAt: string;

  @Field(() => String, { nullable: true })
  @Constrained({ maxLength: 2000 })
  context?: string | null;

  @Field(() => ConsentPurpose)
  consentPurpose: Purpose;

  @Field(() => Float)
  @Constrained({ minimum: 0, maximum: 1 })
  confidence: number;

  @Field(() => ProvenanceInput)
  provenance: ProvenanceInput;
}

@InputType({ description: 'Up to 500 claims; each is accepted or rejected on its own.' })
export class IngestClaimsInput {
  @Field(() => [IngestClaimInput], { nullable: 'items' })
  @Constrained({ minItems: 1, maxItems: 500, batch: true })
  claims: (IngestClaimInput | null)[];
}
