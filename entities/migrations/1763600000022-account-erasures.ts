import type { QueryRunner } from 'typeorm';
import { Migration } from '../../src/database/Migration.js';
import { directoryTable } from '../../src/database/protect.js';

/** Deletions of accounts, tracked until everything that the account had allowed is withdrawn and erased. */
export class AccountErasures1763600000022 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE account_erasures (
      erasure_id text NOT NULL,
      account_id text NOT NULL,
      status text NOT NULL,
      workflows jsonb NOT NULL DEFAULT '[]',
      created_at timestamptz(3) NOT NULL,
      completed_at timestamptz(3),
      CONSTRAINT account_erasures_pkey PRIMARY KEY (erasure_id),
      CONSTRAINT account_erasures_status_check CHECK (status IN ('accepted', 'running', 'completed'))
    )`);
    await directoryTable(runner, 'account_erasures');
  }
}
