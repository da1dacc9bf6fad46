import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AccountEntity } from './AccountEntity.js';
import { Table } from './Table.js';

/** A signed-in browser; its token is kept as a hash. */
@Entity({ name: 'account_sessions' })
@ForeignKey(() => AccountEntity, ['accountId'], ['accountId'], {
  name: 'account_sessions_account_fkey',
  onDelete: 'CASCADE',
})
@Index('account_sessions_account_idx', ['accountId'])
@Index('account_sessions_expires_at_idx', ['expiresAt'])
export class AccountSessionEntity {
  @PrimaryColumn({ name: 'token_hash', type: 'text', primaryKeyConstraintName: 'account_sessions_pkey' })
  tokenHash: string;

  @Column({ name: 'account_id', type: 'text' })
  accountId: string;

  @Column({ name: 'user_agent', type: 'text', nullable: true })
  userAgent: string | null;

  /** The network that the sign-in came from. */
  @Column({ type: 'text', nullable: true })
  address: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}

export const accountSessions = new Table(AccountSessionEntity);
