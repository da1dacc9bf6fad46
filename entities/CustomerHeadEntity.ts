import { Entity, ForeignKey } from 'typeorm';
import { Big, Integer, IntegerList, Key, Text, Time } from './columns.js';
import { CustomerEntity } from './CustomerEntity.js';
import { OfApp } from './OfApp.js';

/**
 * The row whose lock orders all changes of a customer: consent, acceptance and applying. The gate reads it.
 */
@Entity({ name: 'customer_heads' })
@ForeignKey(() => CustomerEntity, ['appId', 'customerId'], ['appId', 'customerId'], { onDelete: 'CASCADE' })
export class CustomerHeadEntity extends OfApp {
  @Key() customerId: string;
  @Big({ default: 0 }) sequence: number;
  @Big({ default: 0 }) appliedSequence: number;
  @Integer({ default: 0 }) grantedMask: number;
  @IntegerList({ default: () => "'{0,0,0,0,0,0,0}'" }) epochs: number[];
  @Text({ nullable: true }) latestReceiptId: string | null;
  @Text({ nullable: true }) openWorkflowId: string | null;
  @Time() changedAt: Date;
}
