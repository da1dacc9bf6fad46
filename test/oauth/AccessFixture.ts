import { randomBytes } from 'node:crypto';
import type { OauthHarness, TestApp } from './OauthHarness.js';

const TABLES = ['account_sessions', 'graphiql_sessions', 'account_tokens', 'passkeys', 'oauth_artifacts'];

/** All by which somebody may act as an account: sessions, mailed tokens, passkeys, what OAuth issued. */
export class AccessFixture {
  constructor(
    private readonly harness: OauthHarness,
    private readonly app: TestApp,
  ) {}

  /** Gives the account one of each. */
  async give(accountId: string): Promise<void> {
    const later = new Date(Date.now() + 3_600_000);
    const rows: [string, unknown[]][] = [
      ['account_sessions (token_hash, account_id, created_at, expires_at) VALUES ($1, $2, now(), $3)', []],
      [
        `graphiql_sessions (token_hash, account_id, expires_at, app_id, sealed) VALUES ($1, $2, $3, $4, '')`,
        [this.app.appId],
      ],
      [
        `account_tokens (token_hash, account_id, expires_at, kind, data, created_at)
          VALUES ($1, $2, $3, 'reset_password', '{}', now())`,
        [],
      ],
      [
        `passkeys (credential_id, account_id, created_at, public_key, counter, transports, label)
          VALUES ($1, $2, $3, '', 0, '{}', 'A key')`,
        [],
      ],
      [
        `oauth_artifacts (id_hash, account_id, expires_at, kind, app_id, payload, issued_at)
          VALUES ($1, $2, $3, 'AccessToken', $4, '', now())`,
        [this.app.appId],
      ],
    ];
    for (const [insertion, more] of rows)
      await this.harness.sql(`INSERT INTO ${insertion}`, [
        randomBytes(32).toString('hex'),
        accountId,
        later,
        ...more,
      ]);
  }

  /** The tables that still hold something of the account. */
  async left(accountId: string): Promise<string[]> {
    const left: string[] = [];
    for (const table of TABLES) {
      const rows = await this.harness.sql(`SELECT 1 FROM ${table} WHERE account_id = $1`, [accountId]);
      if (rows.length > 0) left.push(table);
    }
    return left;
  }

  static readonly all: readonly string[] = TABLES;
}
