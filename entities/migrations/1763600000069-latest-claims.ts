import type { QueryRunner } from 'typeorm';
import { buildIndex } from '../../src/database/buildIndex.js';
import { Migration } from '../../src/database/Migration.js';

/**
 * Each source's latest claim on a fact without those before it: resolving a fact read its whole history, so a
 * customer with thousands of claims held up the worker. Serves what `claims_attribute_idx` did as well.
 */
export class LatestClaims1763600000069 extends Migration {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'claims_latest_idx',
      'ON claims (app_id, customer_id, purpose, attribute, epoch, source, observed_at DESC, sequence DESC)',
    );
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS claims_attribute_idx');
  }
}
