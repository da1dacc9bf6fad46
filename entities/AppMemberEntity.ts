import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AccountEntity } from './AccountEntity.js';
import { AppEntity } from './AppEntity.js';
import { Table } from './Table.js';
import { OfApp } from './OfApp.js';

/** What an account may do in an app. Read by account, before any app is known. */
@Entity({ name: 'app_members' })
@ForeignKey(() => AccountEntity, ['accountId'], ['accountId'], { onDelete: 'CASCADE' })
@ForeignKey(() => AppEntity, ['appId'], ['appId'], { onDelete: 'CASCADE' })
@Index('app_members_account_idx', ['accountId'])
export class AppMemberEntity extends OfApp {
  @PrimaryColumn({ type: 'text' })
  accountId: string;

  @Column({ type: 'text', array: true })
  scopes: string[];

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}

export const appMembers = new Table(AppMemberEntity);
