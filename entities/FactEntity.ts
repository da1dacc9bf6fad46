import { Entity, ForeignKey } from 'typeorm';
import { Integer, Key, Real, Small, Text, Time } from './columns.js';
import { CustomerEntity } from './CustomerEntity.js';
import { OfApp } from './OfApp.js';

/** A resolved fact, as the text that reads return, under its purpose and epoch. */
@Entity({ name: 'facts' })
@ForeignKey(() => CustomerEntity, ['appId', 'customerId'], ['appId', 'customerId'], { onDelete: 'CASCADE' })
export class FactEntity extends OfApp {
  @Key() customerId: string;
  @Key() attribute: string;
  @Small({ primary: true }) purpose: number;
  @Integer() epoch: number;
  /** The fact in GraphQL spelling. */
  @Text() document: string;
  /** The fact in REST spelling. */
  @Text() restDocument: string;
  /** The explanation of the fact, as JSON text. */
  @Text({ nullable: true }) explanation: string | null;
  /** The confidence in the document; null in facts older than this column. */
  @Real({ nullable: true }) confidence: number | null;
  @Time() resolvedAt: Date;
  /** The version of the text; other versions are migrated when read (`src/documents/StoredText.ts`). */
  @Small({ default: 1 }) textVersion: number;
}
