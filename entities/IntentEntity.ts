import { Check, Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { CustomerEntity } from './CustomerEntity.js';
import { OfApp } from './OfApp.js';

/** What a customer's events of one purpose say of an object. */
@Entity({ name: 'intents' })
@Unique('intents_subject_key', ['appId', 'customerId', 'purpose', 'category', 'object'])
@Check(
  'intents_category_check',
  "category = ANY (ARRAY['outcome'::text, 'sentiment'::text, 'affiliate'::text, 'habit'::text, 'activation'::text])",
)
@ForeignKey(() => CustomerEntity, ['appId', 'customerId'], ['appId', 'customerId'], { onDelete: 'CASCADE' })
export class IntentEntity extends OfApp {
  @PrimaryColumn({ type: 'text' })
  customerId: string;

  @PrimaryColumn({ type: 'text' })
  intentId: string;

  @Column({ type: 'smallint' })
  purpose: number;

  @Column({ type: 'integer' })
  epoch: number;

  @Column({ type: 'text' })
  category: string;

  @Column({ type: 'text' })
  object: string;

  @Column({ type: 'double precision' })
  confidence: number;

  @Column({ type: 'jsonb' })
  evidence: object;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
