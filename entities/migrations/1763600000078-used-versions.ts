import type { QueryRunner } from 'typeorm';
import { Migration } from '../../src/database/Migration.js';

/** What each former version of an ontology asked, so that its label is not given to other fields. */
export class UsedVersions1763600000078 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ontologies ADD COLUMN used_versions jsonb NOT NULL DEFAULT '{}'`);
  }
}
