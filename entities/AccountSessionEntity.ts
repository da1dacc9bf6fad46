import { Entity, ForeignKey, Index } from 'typeorm';
import { Key, Text, Time } from './columns.js';
import { AccountEntity } from './AccountEntity.js';
import { Table } from './Table.js';

/** A signed-in browser. Its token is stored as a hash. */
@Entity({ name: 'account_sessions' })
@ForeignKey(() => AccountEntity, ['accountId'], ['accountId'], { onDelete: 'CASCADE' })
@Index('account_sessions_account_idx', ['accountId'])
@Index('account_sessions_expires_at_idx', ['expiresAt'])
export class AccountSessionEntity {
  @Key() tokenHash: string;
  @Text() accountId: string;
  @Text({ nullable: true }) userAgent: string | null;
  /** The network of the sign-in. */
  @Text({ nullable: true }) address: string | null;
  @Time() createdAt: Date;
  /** When the person signed in at the upstream provider; null: the person signed in here. */
  @Time({ nullable: true }) authenticatedAt: Date | null;
  @Time() expiresAt: Date;
}

export const accountSessions = new Table(AccountSessionEntity);
