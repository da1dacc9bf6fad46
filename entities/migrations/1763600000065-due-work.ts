import type { QueryRunner } from 'typeorm';
import { buildIndex } from '../../src/database/buildIndex.js';
import { Migration } from '../../src/database/Migration.js';

/**
 * Due work by its time, for statements that ask for a time alone. The queue is empty most of the time, so
 * whoever removes subjects by their key looked as cheap by the old index, and read all that wait.
 */
export class DueWork1763600000065 extends Migration {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'work_queue_due_idx',
      'ON work_queue (queue, ready_at) WHERE ready_at IS NOT NULL',
    );
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS work_queue_ready_idx');
  }
}
