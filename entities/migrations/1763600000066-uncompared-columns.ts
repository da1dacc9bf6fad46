import type { QueryRunner } from 'typeorm';
import { Migration } from '../../src/database/Migration.js';

/** Keeps no statistics of texts and JSON that no statement compares. ANALYZE sorted 30,000 values of each. */
export class UncomparedColumns1763600000066 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const [table, columns] of Object.entries(UNCOMPARED)) {
      const changes = columns.map((column) => `ALTER COLUMN ${column} SET STATISTICS 0`).join(', ');
      // Citus refuses it for tables that are spread already. They keep their statistics.
      await runner.query(
        `DO $$ BEGIN ALTER TABLE ${table} ${changes}; EXCEPTION WHEN feature_not_supported THEN NULL; END $$`,
      );
    }
  }
}

const UNCOMPARED = {
  inbox: ['payload'],
  claims: ['value', 'context', 'provenance', 'document'],
  facts: ['document', 'rest_document', 'explanation'],
  events: ['payload'],
  intents: ['evidence'],
};
