import type { Claim, Provenance } from '../../schema/types/Claim.js';
import type { JsonValue } from '../domain/jsonValue.js';
import type { Purpose } from '../domain/purposes.js';

/** A claim as it is stored, but for its place. */
export interface ClaimRow extends Record<string, unknown> {
  claim_id: string;
  attribute: string;
  value: JsonValue;
  source: string;
  observed_at: string;
  context: string | null;
  confidence: number;
  provenance: Provenance;
}

export function toClaim(row: ClaimRow, customerId: string, consentPurpose: Purpose): Claim {
  return {
    id: row.claim_id,
    customerId,
    attribute: row.attribute,
    value: row.value,
    source: row.source,
    observedAt: row.observed_at,
    context: row.context,
    consentPurpose,
    confidence: row.confidence,
    provenance: row.provenance,
  };
}
