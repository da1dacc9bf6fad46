import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Approvals that were taken back before the partner recorded them. */
export class TakenBack1763600000020 implements MigrationInterface {
  readonly name = 'TakenBack1763600000020';

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

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX connection_sessions_authorized_idx');
    await runner.query(
      `ALTER TABLE connection_sessions DROP COLUMN withdrawn_purposes, DROP COLUMN withdrawn_at`,
    );
  }
}
