import { Entity, ForeignKey, Index } from 'typeorm';
import { Key, Small, Text, Time } from './columns.js';
import { CustomerEntity } from './CustomerEntity.js';
import { OfApp } from './OfApp.js';

/** The latest decision on one purpose of a customer, across all receipts. */
@Entity({ name: 'customer_consents' })
@ForeignKey(() => CustomerEntity, ['appId', 'customerId'], ['appId', 'customerId'], { onDelete: 'CASCADE' })
@Index('customer_consents_granted_idx', ['appId', 'purpose', 'customerId'], {
  where: "status = 'granted'::text",
})
export class CustomerConsentEntity extends OfApp {
  @Key() customerId: string;
  @Small({ primary: true }) purpose: number;
  @Text() status: string;
  @Time() grantedAt: Date;
  @Time({ nullable: true }) revokedAt: Date | null;
}
