import { accountTokens } from '../../entities/AccountTokenEntity.js';
import { after } from '../../entities/Table.js';
import type { Database } from '../database/Database.js';
import type { Transaction } from '../database/Transaction.js';
import { hashSecretToken, newSecretToken } from '../domain/secretToken.js';

/** Lifetime of each kind of token, in seconds. */
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

/** Creates a token that works once. The account's earlier tokens of the same kind stop working. */
export async function issueToken(
  tx: Transaction,
  now: Date,
  { kind, accountId, data }: NewToken,
): Promise<string> {
  const token = newSecretToken();
  const expiresAt = new Date(now.getTime() + LIFETIMES[kind] * 1000);
  if (accountId !== null) await accountTokens.delete(tx, { account_id: accountId, kind });
  const row = { token_hash: hashSecretToken(token), kind, account_id: accountId, data };
  await accountTokens.insert(tx, { ...row, created_at: now, expires_at: expiresAt });
  return token;
}

/** Reads a token without using it up. Opening a link only reads, because mail scanners open links too. */
export async function findToken(
  database: Database,
  now: Date,
  kind: TokenKind,
  token: string,
): Promise<AccountToken | undefined> {
  const row = await accountTokens.find(database, ['account_id', 'data'], live(now, kind, token));
  return row && { accountId: row.account_id, data: row.data };
}

/** The data of the account's live token of the kind, and when it expires. */
export async function liveTokenOf(
  database: Database,
  now: Date,
  kind: TokenKind,
  accountId: string,
): Promise<{ data: AccountToken['data']; expiresAt: string } | undefined> {
  const row = await accountTokens.find(database, ['data', 'expires_at'], {
    account_id: accountId,
    kind,
    expires_at: after(now),
  });
  return row && { data: row.data, expiresAt: row.expires_at };
}

/**
 * Uses up a token; undefined when it was used, replaced or has expired. One statement does it, so the token
 * works once.
 */
export async function takeToken(
  tx: Transaction,
  now: Date,
  kind: TokenKind,
  token: string,
): Promise<AccountToken | undefined> {
  const [row] = await accountTokens.take(tx, ['account_id', 'data'], live(now, kind, token));
  return row && { accountId: row.account_id, data: row.data };
}

function live(now: Date, kind: TokenKind, token: string) {
  return { token_hash: hashSecretToken(token), kind, expires_at: after(now) };
}
