import type { QueryRunner } from 'typeorm';
import { Migration } from '../../src/database/Migration.js';
import { directoryTable } from '../../src/database/protect.js';

/**
 * Accounts that people can get back into and keep: mails, single-use tokens, passkeys, sessions that can be
 * told apart.
 */
export class Accounts1763600000021 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of CHANGES) await runner.query(statement);
    for (const table of ['account_tokens', 'mails', 'passkeys']) await directoryTable(runner, table);
  }
}

const CHANGES = [
  `ALTER TABLE accounts ADD COLUMN locale text NOT NULL DEFAULT 'en', ADD COLUMN time_zone text,
     ADD COLUMN approval_notices boolean NOT NULL DEFAULT true`,
  `ALTER TABLE account_sessions ADD COLUMN user_agent text, ADD COLUMN address text`,
  `CREATE TABLE account_tokens (
    token_hash text NOT NULL,
    kind text NOT NULL,
    account_id text,
    data jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    CONSTRAINT account_tokens_pkey PRIMARY KEY (token_hash),
    CONSTRAINT account_tokens_account_fkey FOREIGN KEY (account_id) REFERENCES accounts (account_id) ON DELETE CASCADE
  )`,
  `CREATE INDEX account_tokens_account_idx ON account_tokens (account_id, kind)`,
  `CREATE INDEX account_tokens_expires_at_idx ON account_tokens (expires_at)`,
  `CREATE TABLE mails (
    mail_id text NOT NULL,
    sealed text NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    sent_at timestamptz(3),
    CONSTRAINT mails_pkey PRIMARY KEY (mail_id)
  )`,
  `CREATE INDEX mails_expires_at_idx ON mails (expires_at)`,
  `CREATE TABLE passkeys (
    credential_id text NOT NULL,
    account_id text NOT NULL,
    public_key bytea NOT NULL,
    counter bigint NOT NULL,
    transports text[] NOT NULL,
    label text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    last_used_at timestamptz(3),
    CONSTRAINT passkeys_pkey PRIMARY KEY (credential_id),
    CONSTRAINT passkeys_account_fkey FOREIGN KEY (account_id) REFERENCES accounts (account_id) ON DELETE CASCADE
  )`,
  `CREATE INDEX passkeys_account_idx ON passkeys (account_id)`,
];
