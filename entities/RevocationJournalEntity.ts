import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A journal of withdrawals outside the database; without it the database is not served (docs/operations.md).
 */
@Entity({ name: 'revocation_journals' })
export class RevocationJournalEntity {
  @PrimaryColumn({ name: 'journal_id', type: 'text', primaryKeyConstraintName: 'revocation_journals_pkey' })
  journalId: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
