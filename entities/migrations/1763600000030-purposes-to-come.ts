import type { QueryRunner } from 'typeorm';
import { Migration } from '../../src/database/Migration.js';

/** An app that names no purposes may use all of them, those of later versions included. */
export class PurposesToCome1763600000030 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('UPDATE apps SET allowed_mask = 2147483647 WHERE allowed_consent_purposes IS NULL');
  }
}
