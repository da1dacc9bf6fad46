import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Table } from './Table.js';

/** A mail to be sent. To whom and what it says is sealed: it can hold a link that works once. */
@Entity({ name: 'mails' })
@Index('mails_expires_at_idx', ['expiresAt'])
export class MailEntity {
  @PrimaryColumn({ type: 'text' })
  mailId: string;

  @Column({ type: 'text' })
  sealed: string;

  @Column({ type: 'integer', default: 0 })
  attempts: number;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;

  /** Set only where mails are kept for the mailbox page. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  sentAt: Date | null;
}

export const mails = new Table(MailEntity);
