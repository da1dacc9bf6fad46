import { Entity } from 'typeorm';
import { Key, Time } from './columns.js';

/**
 * A journal of withdrawals outside the database. Without the journal, the database is not served
 * (docs/operations.md).
 */
@Entity({ name: 'revocation_journals' })
export class RevocationJournalEntity {
  @Key() journalId: string;
  @Time() createdAt: Date;
}
