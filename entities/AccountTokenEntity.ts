import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AccountEntity } from './AccountEntity.js';
import { Table } from './Table.js';

/** A secret that works once: of a link in a mail, or a passkey's challenge. Kept as a hash. */
@Entity({ name: 'account_tokens' })
@ForeignKey(() => AccountEntity, ['accountId'], ['accountId'], { onDelete: 'CASCADE' })
@Index('account_tokens_account_idx', ['accountId', 'kind'])
@Index('account_tokens_expires_at_idx', ['expiresAt'])
export class AccountTokenEntity {
  @PrimaryColumn({ type: 'text' })
  tokenHash: string;

  @Column({ type: 'text' })
  kind: string;

  @Column({ type: 'text', nullable: true })
  accountId: string | null;

  @Column({ type: 'jsonb' })
  data: Readonly<Record<string, string>>;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}

export const accountTokens = new Table(AccountTokenEntity);
