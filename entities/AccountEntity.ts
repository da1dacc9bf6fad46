import { Entity, Index, Unique } from 'typeorm';
import { Flag, Key, Text, Time } from './columns.js';
import type { RowOf } from './rowOf.js';
import { Table } from './Table.js';

/** A person who can sign in: a partner's operator, a colleague, or an end user who connects an account. */
@Entity({ name: 'accounts' })
@Unique('accounts_email_key', ['email'])
@Unique('accounts_upstream_key', ['upstreamIssuer', 'upstreamSubject'])
@Index('accounts_claimed_email_idx', ['claimedEmail', 'createdAt'], { where: 'claimed_email IS NOT NULL' })
export class AccountEntity {
  @Key() accountId: string;
  /** The verified address. Until there is one, a placeholder to which no mail is sent. */
  @Text() email: string;
  /** The address of a sign-up until it is verified. Several accounts may claim the same one. */
  @Text({ nullable: true }) claimedEmail: string | null;
  @Flag() emailVerified: boolean;
  @Text({ nullable: true }) passwordHash: string | null;
  @Text({ nullable: true }) upstreamIssuer: string | null;
  @Text({ nullable: true }) upstreamSubject: string | null;
  /** The language of pages and mails. */
  @Text({ default: 'en' }) locale: string;
  /** Whether the person chose it; then it applies in every browser where they sign in. */
  @Flag({ default: false }) localeChosen: boolean;
  /** An IANA name; null: times are shown in the browser's time zone. */
  @Text({ nullable: true }) timeZone: string | null;
  @Flag({ default: true }) approvalNotices: boolean;
  @Time() createdAt: Date;
  @Time() updatedAt: Date;
}

export type AccountRow = RowOf<AccountEntity>;

export const accounts = new Table(AccountEntity);
