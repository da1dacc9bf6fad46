import type { QueryRunner } from 'typeorm';
import { Migration } from '../../src/database/Migration.js';

/**
 * Deliveries outlive their endpoint until a worker removes them in steps. As one cascade of the foreign key,
 * the deletion of an endpoint with some 10⁵ deliveries passed the limit of a statement, and failed each time.
 * The deliveries that there are already are examined by `…086`, beside writers.
 */
export class DeletedEndpoints1763600000071 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const change of [
      'DROP CONSTRAINT webhook_deliveries_endpoint_fkey',
      `ADD CONSTRAINT webhook_deliveries_app_fkey FOREIGN KEY (app_id) REFERENCES apps (app_id)
         ON DELETE CASCADE NOT VALID`,
    ])
      await runner.query(`ALTER TABLE webhook_deliveries ${change}`);
  }
}
