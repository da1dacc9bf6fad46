import { Float, ID, Int, ObjectType } from 'type-graphql';
import type { StoredJson } from '../../src/documents/FreeForm.js';
import type { JsonValue } from '../../src/domain/jsonValue.js';
import type { Purpose } from '../../src/domain/purposes.js';
import { connectionOf } from '../connection.js';
import { AcceptanceStatus, ConsentPurpose } from '../enums.js';
import { NonNull, Nullable } from '../fields.js';
import { AttributeValueScalar, DateTimeScalar } from '../scalars.js';

@ObjectType({ description: 'Where a claim came from.' })
export class Provenance {
  @NonNull(() => String) sourcePartner: string;
  @NonNull(() => DateTimeScalar) collectedAt: string;
  @Nullable(() => String) sourceSystem?: string | null;
  @Nullable(() => String) evidenceUrl?: string | null;
}

@ObjectType({ description: 'What one source says of one attribute of a customer, as it was observed.' })
export class Claim {
  @NonNull(() => ID) id: string;
  @NonNull(() => ID) customerId: string;
  @NonNull(() => String) attribute: string;
  @NonNull(() => AttributeValueScalar) value: JsonValue | StoredJson;
  @NonNull(() => String) source: string;
  @NonNull(() => DateTimeScalar) observedAt: string;
  @Nullable(() => String) context?: string | null;
  @NonNull(() => ConsentPurpose) consentPurpose: Purpose;
  @NonNull(() => Float, "The source's own confidence, 0 to 1.") confidence: number;
  @NonNull(() => Provenance) provenance: Provenance;
}

export const ClaimConnection = connectionOf('Claim', () => Claim);

@ObjectType({ description: 'A claim that is durable and will be applied in order.' })
export class IngestClaimPayload {
  @NonNull(() => ID) claimId: string;
  @NonNull(() => AcceptanceStatus) status: 'accepted';
  @NonNull(() => Int, "Place in the customer's series of events and claims; grows by one.") sequence: number;
  @NonNull(() => ID) workflowId: string;
  @NonNull(() => String) statusUrl: string;
}

@ObjectType({ description: 'One problem of an item of a batch.' })
export class ItemErrorDetail {
  @NonNull(() => String) code: string;
  @NonNull(() => String) message: string;
  @Nullable(() => String) field?: string | null;
}

@ObjectType({ description: 'Why one item of a batch was rejected.' })
export class ItemError {
  @NonNull(() => String) code: string;
  @NonNull(() => String) message: string;
  @Nullable(() => [ItemErrorDetail], 'Every problem that was found, up to 50.') details?:
    readonly ItemErrorDetail[] | null;

  @Nullable(() => Int, 'How many more problems there are than the 50 of `details`.')
  detailsOmitted?: number | null;
}

@ObjectType({ description: 'What became of one claim of a batch.' })
export class IngestClaimsItem {
  @NonNull(() => Int) index: number;
  @NonNull(() => AcceptanceStatus) status: 'accepted' | 'rejected';
  @Nullable(() => ID) claimId?: string | null;
  @Nullable(() => Int) sequence?: number | null;
  @Nullable(() => ID) workflowId?: string | null;
  @Nullable(() => String) statusUrl?: string | null;
  @Nullable(() => ItemError) error?: ItemError | null;
}

@ObjectType({ description: 'What became of a batch of claims.' })
export class IngestClaimsPayload {
  @NonNull(() => Int, 'How many items were accepted.') accepted: number;
  @NonNull(() => Int) rejected: number;
  @NonNull(() => [IngestClaimsItem], 'One entry per item, in the order sent.') data: IngestClaimsItem[];
}
