import type { QueryRunner } from 'typeorm';
import { Migration } from '../../src/database/Migration.js';

/**
 * What the operator granted to an app, apart from what the app chose of it, and the client secret before the
 * present one. Apps that exist keep what they have as their ceiling.
 */
export class AppCeiling1763600000012 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }
}

const UP = [
  `ALTER TABLE apps ADD COLUMN granted_scopes text[], ADD COLUMN granted_consent_purposes text[],
     ADD COLUMN previous_secret_hash text, ADD COLUMN previous_secret_expires_at timestamptz(3)`,
  // Nobody's access changes: no node needs to hear of it.
  'ALTER TABLE apps DISABLE TRIGGER apps_access_changed',
  'UPDATE apps SET granted_scopes = allowed_scopes, granted_consent_purposes = allowed_consent_purposes',
  'ALTER TABLE apps ENABLE TRIGGER apps_access_changed',
  `ALTER TABLE apps ALTER COLUMN granted_scopes SET NOT NULL,
     ADD CONSTRAINT apps_scopes_check CHECK (allowed_scopes <@ granted_scopes),
     ADD CONSTRAINT apps_purposes_check CHECK (granted_consent_purposes IS NULL
       OR (allowed_consent_purposes IS NOT NULL AND allowed_consent_purposes <@ granted_consent_purposes))`,
  // A node of the version before, during a rolling update, knows of no ceiling: what it allows is what it
  // grants.
  `CREATE FUNCTION grant_what_is_allowed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.granted_scopes := NEW.allowed_scopes;
      NEW.granted_consent_purposes := NEW.allowed_consent_purposes;
      RETURN NEW;
    END $$`,
  `CREATE TRIGGER apps_grant BEFORE INSERT ON apps FOR EACH ROW WHEN (NEW.granted_scopes IS NULL)
    EXECUTE FUNCTION grant_what_is_allowed()`,
];
