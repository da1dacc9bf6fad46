import { accounts } from '../../entities/AccountEntity.js';
import { accountSessions } from '../../entities/AccountSessionEntity.js';
import { passkeys } from '../../entities/PasskeyEntity.js';
import { after } from '../../entities/Table.js';
import type { Database } from '../database/Database.js';
import { liveTokenOf } from './accountToken.js';

/** The data of an account that its owner sees. */
export interface AccountView {
  email: string;
  emailVerified: boolean;
  /** The address that is to replace it, once it is proved. */
  newEmail: string | null;
  newEmailExpiresAt: string | null;
  hasPassword: boolean;
  /** The identity at an upstream provider that signs in to it. */
  upstream: { issuer: string; subject: string } | null;
  approvalNotices: boolean;
  createdAt: string;
  updatedAt: string;
  sessions: AccountSessionView[];
  passkeys: { id: string; label: string; createdAt: string; lastUsedAt: string | null }[];
}

export interface AccountSessionView {
  id: string;
  startedAt: string;
  /** When the person signed in at the upstream provider, if they did. */
  authenticatedAt: string | null;
  expiresAt: string;
  address: string | null;
  userAgent: string | null;
}

export async function readAccount(
  database: Database,
  accountId: string,
  now: Date,
): Promise<AccountView | undefined> {
  const own = { account_id: accountId };
  const account = await accounts.find(database, ACCOUNT, own);
  if (account === undefined) return undefined;
  const open = { ...own, expires_at: after(now) };
  const sessions = await accountSessions.findAll(database, SESSION, open, 'ORDER BY created_at DESC');
  const wanted = await liveTokenOf(database, now, 'change_address', accountId);
  const keys = await passkeys.findAll(database, PASSKEY, own, 'ORDER BY created_at');
  return {
    email: account.claimed_email ?? account.email,
    emailVerified: account.email_verified,
    newEmail: wanted?.data['email'] ?? null,
    newEmailExpiresAt: wanted?.expiresAt ?? null,
    hasPassword: account.password_hash !== null,
    upstream:
      account.upstream_issuer === null || account.upstream_subject === null
        ? null
        : { issuer: account.upstream_issuer, subject: account.upstream_subject },
    approvalNotices: account.approval_notices,
    createdAt: account.created_at,
    updatedAt: account.updated_at,
    sessions: sessions.map((row) => ({
      id: row.token_hash,
      startedAt: row.created_at,
      authenticatedAt: row.authenticated_at,
      expiresAt: row.expires_at,
      address: row.address,
      userAgent: row.user_agent,
    })),
    passkeys: keys.map((row) => ({
      id: row.credential_id,
      label: row.label,
      createdAt: row.created_at,
      lastUsedAt: row.last_used_at,
    })),
  };
}

const ACCOUNT = [
  'email',
  'claimed_email',
  'email_verified',
  'password_hash',
  'upstream_issuer',
  'upstream_subject',
  'approval_notices',
  'created_at',
  'updated_at',
] as const;

const SESSION = [
  'token_hash',
  'created_at',
  'authenticated_at',
  'expires_at',
  'address',
  'user_agent',
] as const;

const PASSKEY = ['credential_id', 'label', 'created_at', 'last_used_at'] as const;
