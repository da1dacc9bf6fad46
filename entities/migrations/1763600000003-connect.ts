import type { QueryRunner } from 'typeorm';
import { Migration } from '../../src/database/Migration.js';
import { directoryTable, protectTable } from '../../src/database/protect.js';

/** Connection sessions, the links that lead to them, and which accounts are linked to which customers. */
export class Connect1763600000003 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of TABLES) await runner.query(statement);
    await protectTable(runner, 'connection_sessions');
    // A link is opened before any app is known, an account's links lead to several apps: neither can stand
    // behind an app's policy.
    for (const table of ['connection_links', 'account_links']) await directoryTable(runner, table);
  }
}

const TABLES = [
  `CREATE TABLE connection_sessions (
    app_id text NOT NULL,
    session_id text NOT NULL,
    customer_id text NOT NULL,
    status text NOT NULL,
    requested_purposes text[] NOT NULL,
    approved_purposes text[],
    redirect_uri text,
    service_user_id text,
    consent_receipt_id text,
    revoked_by text,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    CONSTRAINT connection_sessions_pkey PRIMARY KEY (app_id, session_id),
    CONSTRAINT connection_sessions_status_check CHECK (status IN ('created', 'authorized', 'completed', 'expired', 'revoked')),
    CONSTRAINT connection_sessions_revoked_by_check CHECK (revoked_by IN ('person', 'partner')),
    CONSTRAINT connection_sessions_customer_fkey FOREIGN KEY (app_id, customer_id) REFERENCES customers (app_id, customer_id) ON DELETE CASCADE
  )`,
  `CREATE INDEX connection_sessions_customer_idx ON connection_sessions (app_id, customer_id, session_id DESC)`,
  `CREATE TABLE connection_links (
    session_id text NOT NULL,
    app_id text NOT NULL,
    token_hash text NOT NULL,
    browser_hash text,
    redeemed_at timestamptz(3),
    CONSTRAINT connection_links_pkey PRIMARY KEY (session_id),
    CONSTRAINT connection_links_session_fkey FOREIGN KEY (app_id, session_id) REFERENCES connection_sessions (app_id, session_id) ON DELETE CASCADE
  )`,
  `CREATE INDEX connection_links_app_idx ON connection_links (app_id, session_id)`,
  `CREATE TABLE account_links (
    account_id text NOT NULL,
    app_id text NOT NULL,
    customer_id text NOT NULL,
    linked_at timestamptz(3) NOT NULL,
    CONSTRAINT account_links_pkey PRIMARY KEY (account_id, app_id, customer_id),
    CONSTRAINT account_links_account_fkey FOREIGN KEY (account_id) REFERENCES accounts (account_id) ON DELETE CASCADE,
    CONSTRAINT account_links_customer_fkey FOREIGN KEY (app_id, customer_id) REFERENCES customers (app_id, customer_id) ON DELETE CASCADE
  )`,
  `CREATE INDEX account_links_customer_idx ON account_links (app_id, customer_id)`,
];
