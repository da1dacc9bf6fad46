import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AccountEntity } from './AccountEntity.js';
import { CustomerEntity } from './CustomerEntity.js';
import { Table } from './Table.js';

/**
 * Which account stands behind which customer of which app: what "my connections" lists. Read by account,
 * across apps.
 */
@Entity({ name: 'account_links' })
@ForeignKey(() => AccountEntity, ['accountId'], ['accountId'], {
  name: 'account_links_account_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => CustomerEntity, ['appId', 'customerId'], ['appId', 'customerId'], {
  name: 'account_links_customer_fkey',
  onDelete: 'CASCADE',
})
@Index('account_links_customer_idx', ['appId', 'customerId'])
export class AccountLinkEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text', primaryKeyConstraintName: 'account_links_pkey' })
  accountId: string;

  @PrimaryColumn({ name: 'app_id', type: 'text', primaryKeyConstraintName: 'account_links_pkey' })
  appId: string;

  @PrimaryColumn({ name: 'customer_id', type: 'text', primaryKeyConstraintName: 'account_links_pkey' })
  customerId: string;

  @Column({ name: 'linked_at', type: 'timestamptz', precision: 3 })
  linkedAt: Date;
}

export const accountLinks = new Table(AccountLinkEntity);
