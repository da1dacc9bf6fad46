import { Entity, ForeignKey } from 'typeorm';
import { Integer, Key, Real, Small, Text, Time } from './columns.js';
import { CustomerEntity } from './CustomerEntity.js';
import { OfApp } from './OfApp.js';

/** A resolved fact, as the text that a read gives out, under its purpose and epoch. */
@Entity({ name: 'facts' })
@ForeignKey(() => CustomerEntity, ['appId', 'customerId'], ['appId', 'customerId'], { onDelete: 'CASCADE' })
export class FactEntity extends OfApp {
  @Key() customerId: string;
  @Key() attribute: string;
  @Small({ primary: true }) purpose: number;
  @Integer() epoch: number;
  /** The fact as GraphQL gives it out. */
  @Text() document: string;
  /** The same as REST gives it out. */
  @Text() restDocument: string;
  /** How the fact came about, as JSON text. */
  @Text({ nullable: true }) explanation: string | null;
  /** The confidence that the document states; null in facts from before it was kept. */
  @Real({ nullable: true }) confidence: number | null;
  @Time() resolvedAt: Date;
  /** Of the text; a row of another version is read forward (`src/documents/StoredText.ts`). */
  @Small({ default: 1 }) textVersion: number;
}
