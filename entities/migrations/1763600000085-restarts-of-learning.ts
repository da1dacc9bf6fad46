import type { QueryRunner } from 'typeorm';
import { Migration } from '../../src/database/Migration.js';

/** How often a withdrawal ended a run of learning. It was counted as a failure of its work. */
export class RestartsOfLearning1763600000085 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE work_queue ADD COLUMN restarts integer NOT NULL DEFAULT 0');
  }
}
