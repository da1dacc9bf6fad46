import { Entity, ForeignKey, Index } from 'typeorm';
import { Key, TextList, Time } from './columns.js';
import { AccountEntity } from './AccountEntity.js';
import { AppEntity } from './AppEntity.js';
import { Table } from './Table.js';
import { OfApp } from './OfApp.js';

/** The rights of an account in an app. Read by account, before any app is known. */
@Entity({ name: 'app_members' })
@ForeignKey(() => AccountEntity, ['accountId'], ['accountId'], { onDelete: 'CASCADE' })
@ForeignKey(() => AppEntity, ['appId'], ['appId'], { onDelete: 'CASCADE' })
@Index('app_members_account_idx', ['accountId'])
export class AppMemberEntity extends OfApp {
  @Key() accountId: string;
  @TextList() scopes: string[];
  @Time() createdAt: Date;
  @Time() updatedAt: Date;
}

export const appMembers = new Table(AppMemberEntity);
