import { Entity, Index } from 'typeorm';
import { Integer, Key, Text, Time } from './columns.js';
import { Table } from './Table.js';

/** A mail to be sent. Recipient and content are encrypted, as it can contain a single-use link. */
@Entity({ name: 'mails' })
@Index('mails_expires_at_idx', ['expiresAt'])
export class MailEntity {
  @Key() mailId: string;
  @Text() sealed: string;
  @Integer({ default: 0 }) attempts: number;
  @Time() createdAt: Date;
  @Time() expiresAt: Date;
  /** Set only when mails are kept for the mailbox page. */
  @Time({ nullable: true }) sentAt: Date | null;
}

export const mails = new Table(MailEntity);
