import { Check, Entity, ForeignKey, Unique } from 'typeorm';
import { INTENT_CATEGORIES } from '../src/domain/intents/IntentRules.js';
import { BigList, Double, Integer, Json, Key, oneOf, Small, Text, Time } from './columns.js';
import { CustomerEntity } from './CustomerEntity.js';
import { OfApp } from './OfApp.js';

/** The intent that a customer's events of one purpose show towards an object. */
@Entity({ name: 'intents' })
@Unique('intents_subject_key', ['appId', 'customerId', 'purpose', 'category', 'object'])
@Check('intents_category_check', oneOf('category', INTENT_CATEGORIES))
@ForeignKey(() => CustomerEntity, ['appId', 'customerId'], ['appId', 'customerId'], { onDelete: 'CASCADE' })
export class IntentEntity extends OfApp {
  @Key() customerId: string;
  @Key() intentId: string;
  @Small() purpose: number;
  @Integer() epoch: number;
  @Text() category: string;
  @Text() object: string;
  @Double() confidence: number;
  /** Its events as claims if a version before stored it last; empty otherwise. */
  @Json() evidence: object;
  /** Sequences of the events that show it, newest first. */
  @BigList({ nullable: true }) events: readonly number[] | null;
  @Time() updatedAt: Date;
}
