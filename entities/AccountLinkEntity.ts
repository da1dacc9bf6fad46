import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AccountEntity } from './AccountEntity.js';
import { CustomerEntity } from './CustomerEntity.js';
import { Table } from './Table.js';

/**
 * Which account stands behind which customer of which app: what "my connections" lists. Read by account,
 * across apps.
 */
@Entity({ name: 'account_links' })
@ForeignKey(() => AccountEntity, ['accountId'], ['accountId'], { onDelete: 'CASCADE' })
@ForeignKey(() => CustomerEntity, ['appId', 'customerId'], ['appId', 'customerId'], { onDelete: 'CASCADE' })
@Index('account_links_customer_idx', ['appId', 'customerId'])
export class AccountLinkEntity {
  @PrimaryColumn({ type: 'text' })
  accountId: string;

  @PrimaryColumn({ type: 'text' })
  appId: string;

  @PrimaryColumn({ type: 'text' })
  customerId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  linkedAt: Date;
}

export const accountLinks = new Table(AccountLinkEntity);
