import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the operator granted to an app, apart from what the app chose of it, and the client secret before the
 * present one. Apps that exist keep what they have as their ceiling.
 */
export class AppCeiling1763600000012 implements MigrationInterface {
  readonly name = 'AppCeiling1763600000012';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
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

const DOWN = [
  'DROP TRIGGER apps_grant ON apps',
  'DROP FUNCTION grant_what_is_allowed()',
  `ALTER TABLE apps DROP CONSTRAINT apps_purposes_check, DROP CONSTRAINT apps_scopes_check,
     DROP COLUMN granted_scopes, DROP COLUMN granted_consent_purposes, DROP COLUMN previous_secret_hash,
     DROP COLUMN previous_secret_expires_at`,
];
