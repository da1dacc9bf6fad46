import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { RowOf } from './rowOf.js';
import { Table } from './Table.js';

/** A person who signs in: a partner's operator, a colleague, or an end user who connects an account. */
@Entity({ name: 'accounts' })
@Unique('accounts_email_key', ['email'])
@Unique('accounts_upstream_key', ['upstreamIssuer', 'upstreamSubject'])
@Index('accounts_claimed_email_idx', ['claimedEmail', 'createdAt'], { where: 'claimed_email IS NOT NULL' })
export class AccountEntity {
  @PrimaryColumn({ type: 'text' })
  accountId: string;

  /** A proved address. While there is none, a placeholder that no mail is sent to. */
  @Column({ type: 'text' })
  email: string;

  /** The address with which somebody signed up, until it is proved. Any number of accounts may claim it. */
  @Column({ type: 'text', nullable: true })
  claimedEmail: string | null;

  @Column({ type: 'boolean' })
  emailVerified: boolean;

  @Column({ type: 'text', nullable: true })
  passwordHash: string | null;

  @Column({ type: 'text', nullable: true })
  upstreamIssuer: string | null;

  @Column({ type: 'text', nullable: true })
  upstreamSubject: string | null;

  /** The language of pages and mails. */
  @Column({ type: 'text', default: 'en' })
  locale: string;

  /** Whether the person chose it: then every browser that they sign in with speaks it. */
  @Column({ type: 'boolean', default: false })
  localeChosen: boolean;

  /** An IANA name; null: times are shown in the browser's own zone. */
  @Column({ type: 'text', nullable: true })
  timeZone: string | null;

  @Column({ type: 'boolean', default: true })
  approvalNotices: boolean;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}

export type AccountRow = RowOf<AccountEntity>;

export const accounts = new Table(AccountEntity);
