import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Table } from './Table.js';

/** A mail to be sent. To whom and what it says is sealed: it can hold a link that works once. */
@Entity({ name: 'mails' })
@Index('mails_expires_at_idx', ['expiresAt'])
export class MailEntity {
  @PrimaryColumn({ name: 'mail_id', type: 'text', primaryKeyConstraintName: 'mails_pkey' })
  mailId: string;

  @Column({ type: 'text' })
  sealed: string;

  @Column({ type: 'integer', default: 0 })
  attempts: number;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt: Date;

  /** Set only where mails are kept for the mailbox page. */
  @Column({ name: 'sent_at', type: 'timestamptz', precision: 3, nullable: true })
  sentAt: Date | null;
}

export const mails = new Table(MailEntity);
