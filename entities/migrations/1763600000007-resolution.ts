import type { QueryRunner } from 'typeorm';
import { Migration } from '../../src/database/Migration.js';
import { protectTable } from '../../src/database/protect.js';

/** What has been learned of sources, per app and purpose; and of each fact, how it came about. */
export class Resolution1763600000007 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    // Only the newest snapshot is kept: an older one would remember what was revoked.
    await runner.query(`CREATE TABLE source_accuracies (
      app_id text NOT NULL,
      purpose smallint NOT NULL,
      version integer NOT NULL,
      snapshot text NOT NULL,
      cost_ms integer NOT NULL,
      recompute_workflow_id text,
      learned_at timestamptz(3) NOT NULL,
      CONSTRAINT source_accuracies_pkey PRIMARY KEY (app_id, purpose),
      CONSTRAINT source_accuracies_app_fkey FOREIGN KEY (app_id) REFERENCES apps (app_id)
    )`);
    await protectTable(runner, 'source_accuracies');
    await runner.query('ALTER TABLE facts ADD COLUMN explanation text');
  }
}
