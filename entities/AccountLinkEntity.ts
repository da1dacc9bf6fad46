import { Entity, ForeignKey, Index } from 'typeorm';
import { Key, Time } from './columns.js';
import { AccountEntity } from './AccountEntity.js';
import { CustomerEntity } from './CustomerEntity.js';
import { Table } from './Table.js';

/**
 * Links an account to a customer of an app, for the list of "my connections". Read by account, across apps.
 */
@Entity({ name: 'account_links' })
@ForeignKey(() => AccountEntity, ['accountId'], ['accountId'], { onDelete: 'CASCADE' })
@ForeignKey(() => CustomerEntity, ['appId', 'customerId'], ['appId', 'customerId'], { onDelete: 'CASCADE' })
@Index('account_links_customer_idx', ['appId', 'customerId'])
export class AccountLinkEntity {
  @Key() accountId: string;
  @Key() appId: string;
  @Key() customerId: string;
  @Time() linkedAt: Date;
}

export const accountLinks = new Table(AccountLinkEntity);
