import type { QueryRunner } from 'typeorm';
import { Migration } from '../../src/database/Migration.js';
import { directoryTable } from '../../src/database/protect.js';

/** Who an app is to a person: a home page, documents and a logo, all set by the operator. */
export class AppIdentity1763600000050 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE apps ADD COLUMN client_uri text, ADD COLUMN tos_uri text, ADD COLUMN policy_uri text,
      ADD COLUMN logo_digest text`);
    await runner.query(`CREATE TABLE app_logos (
      app_id text NOT NULL,
      digest text NOT NULL,
      png bytea NOT NULL,
      CONSTRAINT app_logos_pkey PRIMARY KEY (app_id),
      CONSTRAINT app_logos_app_fkey FOREIGN KEY (app_id) REFERENCES apps (app_id) ON DELETE CASCADE
    )`);
    // A public picture, which a browser loads before anybody is known.
    await directoryTable(runner, 'app_logos');
  }
}
