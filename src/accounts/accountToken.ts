import type { Database } from '../database/Database.js';
import type { Transaction } from '../database/Transaction.js';
import { hashSecretToken, newSecretToken } from '../domain/secretToken.js';

/** How long each kind of token works, in seconds. */
const LIFETIMES = {
  verify_address: 24 * 3600,
  change_address: 24 * 3600,
  reset_password: 3600,
  passkey_challenge: 300,
  passkey_sign_up: 300,
} as const;

export type TokenKind = keyof typeof LIFETIMES;

export interface NewToken {
  kind: TokenKind;
  accountId: string | null;
  data: Readonly<Record<string, string>>;
}

export interface AccountToken {
  accountId: string | null;
  data: Readonly<Record<string, string>>;
}

interface TokenRow extends Record<string, unknown> {
  account_id: string | null;
  data: Record<string, string>;
}

/** Makes a token that works once. Those that the account had of the same kind stop working. */
export async function issueToken(
  tx: Transaction,
  now: Date,
  { kind, accountId, data }: NewToken,
): Promise<string> {
  const token = newSecretToken();
  const expiresAt = new Date(now.getTime() + LIFETIMES[kind] * 1000);
  if (accountId !== null)
    await tx.execute('DELETE FROM account_tokens WHERE account_id = $1 AND kind = $2', [accountId, kind]);
  await tx.execute(
    `INSERT INTO account_tokens (token_hash, kind, account_id, data, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [hashSecretToken(token), kind, accountId, JSON.stringify(data), now, expiresAt],
  );
  return token;
}

/** Looks at a token without spending it: what opening a link does, for mail scanners open links too. */
export async function findToken(
  database: Database,
  now: Date,
  kind: TokenKind,
  token: string,
): Promise<AccountToken | undefined> {
  const [row] = await database.read<TokenRow>(FIND, [hashSecretToken(token), kind, now]);
  return row && { accountId: row.account_id, data: row.data };
}

/**
 * Spends a token; undefined when it was spent, replaced or too old. One statement decides, so it works once.
 */
export async function takeToken(
  tx: Transaction,
  now: Date,
  kind: TokenKind,
  token: string,
): Promise<AccountToken | undefined> {
  const row = await tx.one<TokenRow>(
    `DELETE FROM account_tokens WHERE token_hash = $1 AND kind = $2 AND expires_at > $3 RETURNING account_id,
      data`,
    [hashSecretToken(token), kind, now],
  );
  return row && { accountId: row.account_id, data: row.data };
}

const FIND = {
  name: 'account_token_find',
  text: 'SELECT account_id, data FROM account_tokens WHERE token_hash = $1 AND kind = $2 AND expires_at > $3',
};
