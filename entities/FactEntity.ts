import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { CustomerEntity } from './CustomerEntity.js';

/** A resolved fact, as the text that a read gives out, under its purpose and epoch. */
@Entity({ name: 'facts' })
@ForeignKey(() => CustomerEntity, ['appId', 'customerId'], ['appId', 'customerId'], {
  name: 'facts_customer_fkey',
  onDelete: 'CASCADE',
})
export class FactEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text', primaryKeyConstraintName: 'facts_pkey' })
  appId: string;

  @PrimaryColumn({ name: 'customer_id', type: 'text', primaryKeyConstraintName: 'facts_pkey' })
  customerId: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'facts_pkey' })
  attribute: string;

  @PrimaryColumn({ type: 'smallint', primaryKeyConstraintName: 'facts_pkey' })
  purpose: number;

  @Column({ type: 'integer' })
  epoch: number;

  /** The fact as GraphQL gives it out. */
  @Column({ type: 'text' })
  document: string;

  /** The same as REST gives it out. */
  @Column({ name: 'rest_document', type: 'text' })
  restDocument: string;

  /** How the fact came about, as JSON text. */
  @Column({ type: 'text', nullable: true })
  explanation: string | null;

  /** The confidence that the document states; null in facts from before it was kept. */
  @Column({ type: 'real', nullable: true })
  confidence: number | null;

  @Column({ name: 'resolved_at', type: 'timestamptz', precision: 3 })
  resolvedAt: Date;

  /** Of the text; a row of another version is read forward (`src/documents/textVersion.ts`). */
  @Column({ name: 'text_version', type: 'smallint', default: 1 })
  textVersion: number;
}
