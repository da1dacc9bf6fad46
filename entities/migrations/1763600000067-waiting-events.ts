import type { QueryRunner } from 'typeorm';
import { buildIndex } from '../../src/database/buildIndex.js';
import { Migration } from '../../src/database/Migration.js';

/**
 * Indexes waiting events by their ids, and claims no longer: nothing looks up a waiting claim by its id, and
 * its entry was a tenth of the log that accepting it wrote.
 */
export class WaitingEvents1763600000067 extends Migration {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, 'inbox_event_idx', `ON inbox (app_id, item_id) WHERE kind = 'event'`);
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS inbox_item_idx');
  }
}
