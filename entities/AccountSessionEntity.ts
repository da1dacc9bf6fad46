import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AccountEntity } from './AccountEntity.js';
import { Table } from './Table.js';

/** A signed-in browser; its token is kept as a hash. */
@Entity({ name: 'account_sessions' })
@ForeignKey(() => AccountEntity, ['accountId'], ['accountId'], { onDelete: 'CASCADE' })
@Index('account_sessions_account_idx', ['accountId'])
@Index('account_sessions_expires_at_idx', ['expiresAt'])
export class AccountSessionEntity {
  @PrimaryColumn({ type: 'text' })
  tokenHash: string;

  @Column({ type: 'text' })
  accountId: string;

  @Column({ type: 'text', nullable: true })
  userAgent: string | null;

  /** The network that the sign-in came from. */
  @Column({ type: 'text', nullable: true })
  address: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}

export const accountSessions = new Table(AccountSessionEntity);
