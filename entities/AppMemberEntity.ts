import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AccountEntity } from './AccountEntity.js';
import { AppEntity } from './AppEntity.js';
import { Table } from './Table.js';

/** What an account may do in an app. Read by account, before any app is known. */
@Entity({ name: 'app_members' })
@ForeignKey(() => AccountEntity, ['accountId'], ['accountId'], {
  name: 'app_members_account_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => AppEntity, ['appId'], ['appId'], { name: 'app_members_app_fkey', onDelete: 'CASCADE' })
@Index('app_members_account_idx', ['accountId'])
export class AppMemberEntity {
  @PrimaryColumn({ name: 'app_id', type: 'text', primaryKeyConstraintName: 'app_members_pkey' })
  appId: string;

  @PrimaryColumn({ name: 'account_id', type: 'text', primaryKeyConstraintName: 'app_members_pkey' })
  accountId: string;

  @Column({ type: 'text', array: true })
  scopes: string[];

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}

export const appMembers = new Table(AppMemberEntity);
