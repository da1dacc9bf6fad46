import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An app that names no purposes may use all of them, those of later versions included. */
export class PurposesToCome1763600000030 implements MigrationInterface {
  readonly name = 'PurposesToCome1763600000030';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('UPDATE apps SET allowed_mask = 2147483647 WHERE allowed_consent_purposes IS NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('UPDATE apps SET allowed_mask = 127 WHERE allowed_consent_purposes IS NULL');
  }
}
