import type { QueryRunner } from 'typeorm';
import { Migration } from '../../src/database/Migration.js';

/** The key of facts in the order in which a profile gives them out, so that a read sorts nothing. */
export class FactsInOrder1763600000011 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    await putKeyOn(runner, 'app_id, customer_id, attribute, purpose');
  }
}

async function putKeyOn(runner: QueryRunner, columns: string): Promise<void> {
  await runner.query(
    `ALTER TABLE facts DROP CONSTRAINT facts_pkey, ADD CONSTRAINT facts_pkey PRIMARY KEY (${columns})`,
  );
}
