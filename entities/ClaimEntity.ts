import { Entity, ForeignKey, Index } from 'typeorm';
import { CustomerEntity } from './CustomerEntity.js';
import type { Claim, Provenance } from '../schema/types/Claim.js';
import type { JsonValue } from '../src/domain/jsonValue.js';
import type { Purpose } from '../src/domain/purposes.js';
import { Big, Double, Integer, Json, Key, Small, Text, Time } from './columns.js';
import type { RowOf } from './rowOf.js';
import { OfApp } from './OfApp.js';

/** An applied claim: a source's value for an attribute, under one purpose and epoch. */
@Entity({ name: 'claims' })
@ForeignKey(() => CustomerEntity, ['appId', 'customerId'], ['appId', 'customerId'], { onDelete: 'CASCADE' })
@Index('claims_latest_idx', [
  'appId',
  'customerId',
  'purpose',
  'attribute',
  'epoch',
  'source',
  'observedAt',
  'sequence',
])
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
  /** The claim in GraphQL spelling, stored for lists of claims. */
  @Text() document: string;
  /** The version of the text; other versions are migrated when read (`src/documents/StoredText.ts`). */
  @Small({ default: 1 }) textVersion: number;
}

/** A stored claim without the columns of its place. */
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
