import { Entity, ForeignKey, Index } from 'typeorm';
import { Json, Key, Text, Time } from './columns.js';
import { AccountEntity } from './AccountEntity.js';
import { Table } from './Table.js';

/** A single-use secret: of a link in a mail, or a passkey's challenge. Stored as a hash. */
@Entity({ name: 'account_tokens' })
@ForeignKey(() => AccountEntity, ['accountId'], ['accountId'], { onDelete: 'CASCADE' })
@Index('account_tokens_account_idx', ['accountId', 'kind'])
@Index('account_tokens_expires_at_idx', ['expiresAt'])
export class AccountTokenEntity {
  @Key() tokenHash: string;
  @Text() kind: string;
  @Text({ nullable: true }) accountId: string | null;
  @Json() data: Readonly<Record<string, string>>;
  @Time() createdAt: Date;
  @Time() expiresAt: Date;
}

export const accountTokens = new Table(AccountTokenEntity);
