import type { QueryRunner } from 'typeorm';
import { buildIndex } from '../../src/database/buildIndex.js';
import { Migration } from '../../src/database/Migration.js';

/** Waiting events by their ids. Claims, which nothing looks up by id, are left out: a tenth of their log. */
export class WaitingEvents1763600000067 extends Migration {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, 'inbox_event_idx', `ON inbox (app_id, item_id) WHERE kind = 'event'`);
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS inbox_item_idx');
  }
}
