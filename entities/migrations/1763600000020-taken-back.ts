import type { QueryRunner } from 'typeorm';
import { Migration } from '../../src/database/Migration.js';

/** Approvals that were taken back before the partner recorded them. */
export class TakenBack1763600000020 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE connection_sessions ADD COLUMN withdrawn_purposes text[] NOT NULL DEFAULT '{}',
         ADD COLUMN withdrawn_at timestamptz(3)`,
    );
    await runner.query(
      `CREATE INDEX connection_sessions_authorized_idx ON connection_sessions (app_id, customer_id)
         WHERE status = 'authorized'`,
    );
  }
}
