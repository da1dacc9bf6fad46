import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A journal of withdrawals outside the database; without it the database is not served (docs/operations.md).
 */
@Entity({ name: 'revocation_journals' })
export class RevocationJournalEntity {
  @PrimaryColumn({ type: 'text' })
  journalId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
