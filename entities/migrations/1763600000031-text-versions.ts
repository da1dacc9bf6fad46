import type { QueryRunner } from 'typeorm';
import { Migration } from '../../src/database/Migration.js';

/** Says of stored text in which version it was written. Adding a constant default rewrites no row. */
export class TextVersions1763600000031 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE claims ADD COLUMN text_version smallint NOT NULL DEFAULT 1');
    await runner.query('ALTER TABLE facts ADD COLUMN text_version smallint NOT NULL DEFAULT 1');
  }
}
