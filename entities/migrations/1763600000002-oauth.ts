import type { QueryRunner } from 'typeorm';
import { Migration } from '../../src/database/Migration.js';
import { directoryTable } from '../../src/database/protect.js';

/**
 * Accounts and what they may do, everything the authorization server issues, its keys, sessions and
 * throttles.
 */
export class Oauth1763600000002 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, ...NOTICES]) await runner.query(statement);
    // Credentials are read before any app is known, so none of these can stand behind the app's row level
    // security.
    for (const table of TABLE_NAMES) await directoryTable(runner, table);
  }
}

const TABLE_NAMES = [
  'accounts',
  'app_members',
  'oauth_artifacts',
  'signing_keys',
  'account_sessions',
  'throttles',
];

const TABLES = [
  `CREATE TABLE accounts (
    account_id text NOT NULL,
    email text NOT NULL,
    email_verified boolean NOT NULL,
    password_hash text,
    upstream_issuer text,
    upstream_subject text,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    CONSTRAINT accounts_pkey PRIMARY KEY (account_id),
    CONSTRAINT accounts_email_key UNIQUE (email),
    CONSTRAINT accounts_upstream_key UNIQUE (upstream_issuer, upstream_subject)
  )`,
  `CREATE TABLE app_members (
    app_id text NOT NULL,
    account_id text NOT NULL,
    scopes text[] NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    CONSTRAINT app_members_pkey PRIMARY KEY (app_id, account_id),
    CONSTRAINT app_members_app_fkey FOREIGN KEY (app_id) REFERENCES apps (app_id) ON DELETE CASCADE,
    CONSTRAINT app_members_account_fkey FOREIGN KEY (account_id) REFERENCES accounts (account_id) ON DELETE CASCADE
  )`,
  `CREATE INDEX app_members_account_idx ON app_members (account_id)`,
  // A token belongs to its grant by a foreign key: deleting the grant ends the whole family in one statement,
  // and a token of a family that was ended a moment ago cannot be stored any more.
  `CREATE TABLE oauth_artifacts (
    id_hash text NOT NULL,
    kind text NOT NULL,
    app_id text,
    account_id text,
    grant_hash text,
    uid_hash text,
    scope text,
    payload text NOT NULL,
    issued_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    consumed_at timestamptz(3),
    CONSTRAINT oauth_artifacts_pkey PRIMARY KEY (id_hash),
    CONSTRAINT oauth_artifacts_app_fkey FOREIGN KEY (app_id) REFERENCES apps (app_id) ON DELETE CASCADE,
    CONSTRAINT oauth_artifacts_account_fkey FOREIGN KEY (account_id) REFERENCES accounts (account_id) ON DELETE CASCADE,
    CONSTRAINT oauth_artifacts_grant_fkey FOREIGN KEY (grant_hash) REFERENCES oauth_artifacts (id_hash) ON DELETE CASCADE
  )`,
  `CREATE INDEX oauth_artifacts_expires_at_idx ON oauth_artifacts (expires_at)`,
  `CREATE INDEX oauth_artifacts_grant_idx ON oauth_artifacts (grant_hash) WHERE grant_hash IS NOT NULL`,
  `CREATE INDEX oauth_artifacts_uid_idx ON oauth_artifacts (uid_hash) WHERE uid_hash IS NOT NULL`,
  `CREATE INDEX oauth_artifacts_app_idx ON oauth_artifacts (app_id, account_id)`,
  `CREATE INDEX oauth_artifacts_account_idx ON oauth_artifacts (account_id) WHERE account_id IS NOT NULL`,
  `CREATE TABLE signing_keys (
    key_id text NOT NULL,
    use text NOT NULL,
    sealed text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT signing_keys_pkey PRIMARY KEY (key_id),
    CONSTRAINT signing_keys_use_check CHECK (use IN ('sig', 'cookie'))
  )`,
  `CREATE TABLE account_sessions (
    token_hash text NOT NULL,
    account_id text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    CONSTRAINT account_sessions_pkey PRIMARY KEY (token_hash),
    CONSTRAINT account_sessions_account_fkey FOREIGN KEY (account_id) REFERENCES accounts (account_id) ON DELETE CASCADE
  )`,
  `CREATE INDEX account_sessions_account_idx ON account_sessions (account_id)`,
  `CREATE INDEX account_sessions_expires_at_idx ON account_sessions (expires_at)`,
  // The shape that rate-limiter-flexible reads and writes.
  `CREATE TABLE throttles (
    key varchar(255) NOT NULL,
    points integer NOT NULL DEFAULT 0,
    expire bigint,
    CONSTRAINT throttles_pkey PRIMARY KEY (key)
  )`,
  `CREATE INDEX throttles_expire_idx ON throttles (expire)`,
];

/**
 * Whoever changes an app, a member or a token, every node hears of it at commit, whatever code made the
 * change.
 */
const NOTICES = [
  `CREATE FUNCTION notify_app_access_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_notify('access_changed', 'app:' || OLD.app_id);
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER apps_access_changed AFTER UPDATE OR DELETE ON apps
    FOR EACH ROW EXECUTE FUNCTION notify_app_access_changed()`,
  `CREATE FUNCTION notify_member_access_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_notify('access_changed', 'member:' || OLD.app_id || ':' || OLD.account_id);
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER app_members_access_changed AFTER UPDATE OR DELETE ON app_members
    FOR EACH ROW EXECUTE FUNCTION notify_member_access_changed()`,
  `CREATE FUNCTION notify_artifact_access_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_notify('access_changed', 'token:' || OLD.id_hash);
      RETURN NULL;
    END $$`,
  // Sweeping what had expired anyway is no news.
  `CREATE TRIGGER oauth_artifacts_access_changed AFTER DELETE ON oauth_artifacts
    FOR EACH ROW WHEN (OLD.kind IN ('AccessToken', 'ClientCredentials') AND OLD.expires_at > now())
    EXECUTE FUNCTION notify_artifact_access_changed()`,
];
