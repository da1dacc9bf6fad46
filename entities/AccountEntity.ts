import { Entity, Index, Unique } from 'typeorm';
import { Flag, Key, Text, Time } from './columns.js';
import type { RowOf } from './rowOf.js';
import { Table } from './Table.js';

/** A person who signs in: a partner's operator, a colleague, or an end user who connects an account. */
@Entity({ name: 'accounts' })
@Unique('accounts_email_key', ['email'])
@Unique('accounts_upstream_key', ['upstreamIssuer', 'upstreamSubject'])
@Index('accounts_claimed_email_idx', ['claimedEmail', 'createdAt'], { where: 'claimed_email IS NOT NULL' })
export class AccountEntity {
  @Key() accountId: string;
  /** A proved address. While there is none, a placeholder that no mail is sent to. */
  @Text() email: string;
  /** The address with which somebody signed up, until it is proved. Any number of accounts may claim it. */
  @Text({ nullable: true }) claimedEmail: string | null;
  @Flag() emailVerified: boolean;
  @Text({ nullable: true }) passwordHash: string | null;
  @Text({ nullable: true }) upstreamIssuer: string | null;
  @Text({ nullable: true }) upstreamSubject: string | null;
  /** The language of pages and mails. */
  @Text({ default: 'en' }) locale: string;
  /** Whether the person chose it: then every browser that they sign in with speaks it. */
  @Flag({ default: false }) localeChosen: boolean;
  /** An IANA name; null: times are shown in the browser's own zone. */
  @Text({ nullable: true }) timeZone: string | null;
  @Flag({ default: true }) approvalNotices: boolean;
  @Time() createdAt: Date;
  @Time() updatedAt: Date;
}

export type AccountRow = RowOf<AccountEntity>;

export const accounts = new Table(AccountEntity);
