import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Client secrets before the previous one, each good until its own time. */
export class FormerSecrets1763600000061 implements MigrationInterface {
  readonly name = 'FormerSecrets1763600000061';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE apps ADD COLUMN older_secrets jsonb NOT NULL DEFAULT '[]'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE apps DROP COLUMN older_secrets');
  }
}
