import type { QueryRunner } from 'typeorm';
import { Migration } from '../../src/database/Migration.js';

/** Client secrets before the previous one, each good until its own time. */
export class FormerSecrets1763600000061 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE apps ADD COLUMN older_secrets jsonb NOT NULL DEFAULT '[]'`);
  }
}
