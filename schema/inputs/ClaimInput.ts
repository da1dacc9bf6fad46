import { Field, Float, ID, InputType } from 'type-graphql';
import type { JsonValue } from '../../src/domain/jsonValue.js';
import type { Purpose } from '../../src/domain/purposes.js';
import { anyUri, attributeName, storedValue } from '../checks.js';
import { Constrained } from '../../src/access/constrained.js';
import { ConsentPurpose } from '../enums.js';
import { NonNull, Nullable } from '../fields.js';
import { AttributeValueScalar, DateTimeScalar } from '../scalars.js';

@InputType({ description: 'Where a claim came from.' })
export class ProvenanceInput {
  @NonNull(() => String, { minLength: 1, maxLength: 255 }) sourcePartner: string;
  @NonNull(() => DateTimeScalar) collectedAt: string;
  @Nullable(() => String, { minLength: 1, maxLength: 255 }) sourceSystem?: string | null;
  @Nullable(() => String, anyUri) evidenceUrl?: string | null;
}

@InputType({ description: 'A claim as a source observed it.' })
export class IngestClaimInput {
  @NonNull(() => ID, { minLength: 1, maxLength: 128 }) customerId: string;
  @NonNull(() => String, attributeName) attribute: string;
  @NonNull(() => AttributeValueScalar, storedValue) value: JsonValue;
  @NonNull(() => String, { minLength: 1, maxLength: 255 }) source: string;
  @NonNull(() => DateTimeScalar) observedAt: string;
  @Nullable(() => String, { maxLength: 2000 }) context?: string | null;
  @NonNull(() => ConsentPurpose) consentPurpose: Purpose;
  @NonNull(() => Float, { minimum: 0, maximum: 1 }) confidence: number;
  @NonNull(() => ProvenanceInput) provenance: ProvenanceInput;
}

@InputType({
  description:
    'Up to 500 claims; each is accepted or rejected on its own. GraphQL itself refuses the whole request for one that is no input of its type, such as one with an unknown member.',
})
export class IngestClaimsInput {
  @Field(() => [IngestClaimInput], { nullable: 'items' })
  @Constrained({ minItems: 1, maxItems: 500, batch: true })
  claims: (IngestClaimInput | null)[];
}
