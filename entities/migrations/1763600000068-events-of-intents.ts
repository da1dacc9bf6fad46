import type { QueryRunner } from 'typeorm';
import { Migration } from '../../src/database/Migration.js';

/**
 * An intent names the events that show it instead of a copy of each as a claim: the copies were most of what
 * applying events wrote. Nothing compares the list, so no statistics are kept of it, unless Citus refuses
 * that.
 */
export class EventsOfIntents1763600000068 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE intents ADD COLUMN events bigint[]');
    await runner.query(`DO $$ BEGIN ALTER TABLE intents ALTER COLUMN events SET STATISTICS 0;
      EXCEPTION WHEN feature_not_supported THEN NULL; END $$`);
  }
}
