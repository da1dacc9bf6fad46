import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Says of stored text in which version it was written. Adding a constant default rewrites no row. */
export class TextVersions1763600000031 implements MigrationInterface {
  readonly name = 'TextVersions1763600000031';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE claims ADD COLUMN text_version smallint NOT NULL DEFAULT 1');
    await runner.query('ALTER TABLE facts ADD COLUMN text_version smallint NOT NULL DEFAULT 1');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE claims DROP COLUMN text_version');
    await runner.query('ALTER TABLE facts DROP COLUMN text_version');
  }
}
