import type { QueryRunner } from 'typeorm';
import { Migration } from '../../src/database/Migration.js';

/** Drops the index of a withdrawn migration (`WITHDRAWN_MIGRATIONS`): it cost a tenth of applying events. */
export class UncategorizedEvents1763600000084 extends Migration {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS events_category_idx');
  }
}
