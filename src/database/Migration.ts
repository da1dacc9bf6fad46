import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A change of the schema, recorded by the name of its class, which ends with its number. */
export abstract class Migration implements MigrationInterface {
  abstract up(runner: QueryRunner): Promise<void>;

  /** The version before runs on the schema of the version after: nothing is taken back. */
  down(): Promise<never> {
    return Promise.reject(new Error('Migrations only add: docs/operations.md#upgrade-and-roll-back'));
  }
}
