import type { QueryRunner } from 'typeorm';
import { buildIndex } from '../../src/database/buildIndex.js';
import { Migration } from '../../src/database/Migration.js';

/** The newest events of a category on an object, however many others the object has. */
export class EventsByCategory1763600000079 extends Migration {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'events_category_idx',
      `ON events (app_id, customer_id, purpose, object, category, occurred_at, sequence)
         WHERE category IS NOT NULL`,
    );
  }
}
