import type { Database } from '../database/Database.js';

/** What an account's owner sees of it. */
export interface AccountView {
  email: string;
  emailVerified: boolean;
  hasPassword: boolean;
  approvalNotices: boolean;
  createdAt: string;
  sessions: { id: string; startedAt: string; address: string | null; userAgent: string | null }[];
  passkeys: { id: string; label: string; createdAt: string; lastUsedAt: string | null }[];
}

interface AccountRow extends Record<string, unknown> {
  email: string;
  email_verified: boolean;
  has_password: boolean;
  approval_notices: boolean;
  created_at: string;
}

interface SessionRow extends Record<string, unknown> {
  token_hash: string;
  created_at: string;
  address: string | null;
  user_agent: string | null;
}

interface PasskeyRow extends Record<string, unknown> {
  credential_id: string;
  label: string;
  created_at: string;
  last_used_at: string | null;
}

export async function readAccount(
  database: Database,
  accountId: string,
  now: Date,
): Promise<AccountView | undefined> {
  const [account] = await database.read<AccountRow>(ACCOUNT, [accountId]);
  if (account === undefined) return undefined;
  const sessions = await database.read<SessionRow>(SESSIONS, [accountId, now]);
  const passkeys = await database.read<PasskeyRow>(PASSKEYS, [accountId]);
  return {
    email: account.email,
    emailVerified: account.email_verified,
    hasPassword: account.has_password,
    approvalNotices: account.approval_notices,
    createdAt: account.created_at,
    sessions: sessions.map((row) => ({
      id: row.token_hash,
      startedAt: row.created_at,
      address: row.address,
      userAgent: row.user_agent,
    })),
    passkeys: passkeys.map((row) => ({
      id: row.credential_id,
      label: row.label,
      createdAt: row.created_at,
      lastUsedAt: row.last_used_at,
    })),
  };
}

const ACCOUNT = {
  name: 'account_view',
  text: `SELECT COALESCE(claimed_email, email) AS email, email_verified,
    password_hash IS NOT NULL AS has_password, approval_notices, created_at
           FROM accounts WHERE account_id = $1`,
};

const SESSIONS = {
  name: 'account_view_sessions',
  text: `SELECT token_hash, created_at, address, user_agent FROM account_sessions
          WHERE account_id = $1 AND expires_at > $2 ORDER BY created_at DESC`,
};

const PASSKEYS = {
  name: 'account_view_passkeys',
  text: `SELECT credential_id, label, created_at, last_used_at FROM passkeys WHERE account_id = $1
    ORDER BY created_at`,
};
