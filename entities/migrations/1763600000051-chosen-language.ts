import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether a person chose the language of their account, or only came with it. */
export class ChosenLanguage1763600000051 implements MigrationInterface {
  readonly name = 'ChosenLanguage1763600000051';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE accounts ADD COLUMN locale_chosen boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE accounts DROP COLUMN locale_chosen');
  }
}
