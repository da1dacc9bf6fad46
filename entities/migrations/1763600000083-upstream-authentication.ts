import type { QueryRunner } from 'typeorm';
import { Migration } from '../../src/database/Migration.js';

/** When the person of a session signed in at the upstream provider, which may be before the session began. */
export class UpstreamAuthentication1763600000083 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE account_sessions ADD COLUMN authenticated_at timestamptz(3)');
  }
}
