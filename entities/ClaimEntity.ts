import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { CustomerEntity } from './CustomerEntity.js';

/** A claim that was applied: what one source said of one attribute, under one purpose and epoch. */
@Entity({ name: 'claims' })
@ForeignKey(() => CustomerEntity, ['appId', 'customerId'], ['appId', 'customerId'], {
  name: 'claims_customer_fkey',
  onDelete: 'CASCADE',
})
@Index('claims_attribute_idx', ['appId', 'customerId', 'purpose', 'attribute'])
export class ClaimEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text', primaryKeyConstraintName: 'claims_pkey' })
  appId: string;

  @PrimaryColumn({ name: 'customer_id', type: 'text', primaryKeyConstraintName: 'claims_pkey' })
  customerId: string;

  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'claims_pkey' })
  sequence: number;

  @Column({ name: 'claim_id', type: 'text' })
  claimId: string;

  @Column({ type: 'smallint' })
  purpose: number;

  @Column({ type: 'integer' })
  epoch: number;

  @Column({ type: 'text' })
  attribute: string;

  @Column({ type: 'jsonb' })
  value: object;

  @Column({ type: 'text' })
  source: string;

  @Column({ name: 'observed_at', type: 'timestamptz', precision: 3 })
  observedAt: Date;

  @Column({ type: 'text', nullable: true })
  context: string | null;

  @Column({ type: 'double precision' })
  confidence: number;

  @Column({ type: 'jsonb' })
  provenance: object;

  /** The claim as GraphQL gives it out, kept ready for lists of claims. */
  @Column({ type: 'text' })
  document: string;

  /** Of the text; a row of another version is read forward (`src/documents/textVersion.ts`). */
  @Column({ name: 'text_version', type: 'smallint', default: 1 })
  textVersion: number;
}
