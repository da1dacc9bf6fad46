import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A change of the schema, recorded by its class name, which ends with its number. */
export abstract class Migration implements MigrationInterface {
  abstract up(runner: QueryRunner): Promise<void>;

  /** Nothing is reverted: the previous version runs on the new schema. */
  down(): Promise<never> {
    return Promise.reject(new Error('Migrations only add: docs/operations.md#upgrade-and-roll-back'));
  }
}
