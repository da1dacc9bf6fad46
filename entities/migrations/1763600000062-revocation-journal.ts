import type { QueryRunner } from 'typeorm';
import { Migration } from '../../src/database/Migration.js';
import { directoryTable } from '../../src/database/protect.js';

/** The journal outside the database that this database's withdrawals are written to. */
export class RevocationJournal1763600000062 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE revocation_journals (
      journal_id text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      CONSTRAINT revocation_journals_pkey PRIMARY KEY (journal_id)
    )`);
    await directoryTable(runner, 'revocation_journals', 'SELECT, INSERT');
  }
}
