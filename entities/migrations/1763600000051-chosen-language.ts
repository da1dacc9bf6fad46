import type { QueryRunner } from 'typeorm';
import { Migration } from '../../src/database/Migration.js';

/** Whether a person chose the language of their account, or only came with it. */
export class ChosenLanguage1763600000051 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE accounts ADD COLUMN locale_chosen boolean NOT NULL DEFAULT false');
  }
}
