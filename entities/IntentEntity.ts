import { Check, Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { CustomerEntity } from './CustomerEntity.js';

/** What a customer's events of one purpose say of an object. */
@Entity({ name: 'intents' })
@Unique('intents_subject_key', ['appId', 'customerId', 'purpose', 'category', 'object'])
@Check(
  'intents_category_check',
  "category = ANY (ARRAY['outcome'::text, 'sentiment'::text, 'affiliate'::text, 'habit'::text, 'activation'::text])",
)
@ForeignKey(() => CustomerEntity, ['appId', 'customerId'], ['appId', 'customerId'], {
  name: 'intents_customer_fkey',
  onDelete: 'CASCADE',
})
export class IntentEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text', primaryKeyConstraintName: 'intents_pkey' })
  appId: string;

  @PrimaryColumn({ name: 'customer_id', type: 'text', primaryKeyConstraintName: 'intents_pkey' })
  customerId: string;

  @PrimaryColumn({ name: 'intent_id', type: 'text', primaryKeyConstraintName: 'intents_pkey' })
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

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
