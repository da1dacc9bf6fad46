import { Entity, ForeignKey, Index } from 'typeorm';
import { CustomerEntity } from './CustomerEntity.js';
import type { Claim, Provenance } from '../schema/types/Claim.js';
import type { JsonValue } from '../src/domain/jsonValue.js';
import type { Purpose } from '../src/domain/purposes.js';
import { Big, Double, Integer, Json, Key, Small, Text, Time } from './columns.js';
import type { RowOf } from './rowOf.js';
import { OfApp } from './OfApp.js';

/** A claim that was applied: what one source said of one attribute, under one purpose and epoch. */
@Entity({ name: 'claims' })
@ForeignKey(() => CustomerEntity, ['appId', 'customerId'], ['appId', 'customerId'], { onDelete: 'CASCADE' })
@Index('claims_attribute_idx', ['appId', 'customerId', 'purpose', 'attribute'])
export class ClaimEntity extends OfApp {
  @Key() customerId: string;
  @Big({ primary: true }) sequence: number;
  @Text() claimId: string;
  @Small() purpose: number;
  @Integer() epoch: number;
  @Text() attribute: string;
  @Json() value: JsonValue;
  @Text() source: string;
  @Time() observedAt: Date;
  @Text({ nullable: true }) context: string | null;
  @Double() confidence: number;
  @Json() provenance: Provenance;
  /** The claim as GraphQL gives it out, kept ready for lists of claims. */
  @Text() document: string;
  /** Of the text; a row of another version is read forward (`src/documents/StoredText.ts`). */
  @Small({ default: 1 }) textVersion: number;
}

/** A claim as it is stored, but for its place. */
export type ClaimRow = Pick<
  RowOf<ClaimEntity>,
  'claim_id' | 'attribute' | 'value' | 'source' | 'observed_at' | 'context' | 'confidence' | 'provenance'
>;

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
