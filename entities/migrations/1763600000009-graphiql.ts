import type { QueryRunner } from 'typeorm';
import { Migration } from '../../src/database/Migration.js';
import { directoryTable } from '../../src/database/protect.js';

/** Sessions of GraphiQL: the access token stays here, the browser holds only the session's secret. */
export class Graphiql1763600000009 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE graphiql_sessions (
      token_hash text NOT NULL,
      account_id text NOT NULL,
      app_id text NOT NULL,
      sealed text NOT NULL,
      expires_at timestamptz(3) NOT NULL,
      CONSTRAINT graphiql_sessions_pkey PRIMARY KEY (token_hash),
      CONSTRAINT graphiql_sessions_account_fkey FOREIGN KEY (account_id) REFERENCES accounts (account_id) ON DELETE CASCADE,
      CONSTRAINT graphiql_sessions_app_fkey FOREIGN KEY (app_id) REFERENCES apps (app_id) ON DELETE CASCADE
    )`);
    await runner.query('CREATE INDEX graphiql_sessions_account_idx ON graphiql_sessions (account_id)');
    await runner.query('CREATE INDEX graphiql_sessions_app_idx ON graphiql_sessions (app_id)');
    await runner.query('CREATE INDEX graphiql_sessions_expires_at_idx ON graphiql_sessions (expires_at)');
    await directoryTable(runner, 'graphiql_sessions');
  }
}
