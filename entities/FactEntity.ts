import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { CustomerEntity } from './CustomerEntity.js';
import { OfApp } from './OfApp.js';

/** A resolved fact, as the text that a read gives out, under its purpose and epoch. */
@Entity({ name: 'facts' })
@ForeignKey(() => CustomerEntity, ['appId', 'customerId'], ['appId', 'customerId'], { onDelete: 'CASCADE' })
export class FactEntity extends OfApp {
  @PrimaryColumn({ type: 'text' })
  customerId: string;

  @PrimaryColumn({ type: 'text' })
  attribute: string;

  @PrimaryColumn({ type: 'smallint' })
  purpose: number;

  @Column({ type: 'integer' })
  epoch: number;

  /** The fact as GraphQL gives it out. */
  @Column({ type: 'text' })
  document: string;

  /** The same as REST gives it out. */
  @Column({ type: 'text' })
  restDocument: string;

  /** How the fact came about, as JSON text. */
  @Column({ type: 'text', nullable: true })
  explanation: string | null;

  /** The confidence that the document states; null in facts from before it was kept. */
  @Column({ type: 'real', nullable: true })
  confidence: number | null;

  @Column({ type: 'timestamptz', precision: 3 })
  resolvedAt: Date;

  /** Of the text; a row of another version is read forward (`src/documents/textVersion.ts`). */
  @Column({ type: 'smallint', default: 1 })
  textVersion: number;
}
