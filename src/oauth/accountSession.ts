import { accounts } from '../../entities/AccountEntity.js';
import type { AccountRow } from '../../entities/AccountEntity.js';
import { accountSessions } from '../../entities/AccountSessionEntity.js';
import { passkeys } from '../../entities/PasskeyEntity.js';
import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import { clearCookie, hostCookieName, readCookie, setCookie } from '../http/cookies.js';
import type { Transaction } from '../database/Transaction.js';
import { addressBlock } from '../domain/addressBlock.js';
import { localeNamed } from '../texts/locale.js';
import type { AccountSession } from '../accounts/AccountSession.js';
import { keepLanguage } from '../http/localeOfRequest.js';
import { hashSecretToken } from '../domain/secretToken.js';
import { endAppSessions } from './appSession.js';
import { rememberDevice } from './knownDevice.js';
import { LIFETIMES } from './lifetimes.js';
import type { AccountServices } from '../accounts/AccountServices.js';

/** The part of a request that carries cookies. */
type WithCookies = Pick<Request, 'headers'>;

/** The request's IP address and browser, by which a person can recognise a session. */
type WithOrigin = Pick<Request, 'headers' | 'ip'>;

type SessionRow = Pick<AccountRow, 'account_id' | 'email' | 'email_verified' | 'locale' | 'time_zone'> & {
  started_at: string;
};

type SessionServices = Pick<AccountServices, 'config' | 'database' | 'clock' | 'secrets'>;

/**
 * What the person signed in with, if it can be replaced or removed while the session begins; or when they
 * signed in at the upstream provider.
 */
export type SignInMeans = { passwordHash: string | null } | { passkeyId: string } | { upstreamAt: Date };

const READ = {
  name: 'account_session_read',
  text: `SELECT s.account_id, COALESCE(s.authenticated_at, s.created_at) AS started_at,
                COALESCE(a.claimed_email, a.email) AS email, a.email_verified, a.locale, a.time_zone
           FROM account_sessions s JOIN accounts a USING (account_id)
          WHERE s.token_hash = $1 AND s.expires_at > $2`,
};

/**
 * Starts a session with a new token and ends the browser's previous one, against session fixation.
 *
 * @param means what was checked: a new password or the end of a passkey also ends sessions that begin
 * @returns undefined when the account has another password by now, or no longer the passkey
 */
export async function startAccountSession(
  services: SessionServices,
  request: WithOrigin,
  response: Response,
  accountId: string,
  means: SignInMeans = { passwordHash: null },
): Promise<Pick<AccountSession, 'accountId' | 'startedAt'> | undefined> {
  const token = randomBytes(32).toString('base64url');
  const now = services.clock();
  const expiresAt = new Date(now.getTime() + LIFETIMES.session * 1000);
  const former = await readAccountSession(services, request);
  if (former?.accountId !== accountId) await forgetApprovals(services, request, response);
  await forgetSession(services, request);
  const authenticatedAt = 'upstreamAt' in means ? means.upstreamAt : null;
  const session = {
    token_hash: hashSecretToken(token),
    account_id: accountId,
    created_at: now,
    authenticated_at: authenticatedAt,
    expires_at: expiresAt,
    user_agent: request.headers['user-agent']?.slice(0, 400) ?? null,
    address: addressBlock(request.ip ?? ''),
  };
  const started = await services.database.transaction(null, async (tx) => {
    const account = await lockSignedIn(tx, accountId, means);
    if (account !== undefined) await accountSessions.insert(tx, session);
    return account;
  });
  if (started === undefined) return undefined;
  setCookie(services.config.baseUrl, response, cookieName(services), token, {
    path: '/',
    maxAgeSeconds: LIFETIMES.session,
  });
  rememberDevice(services, request, response, { accountId, passwordHash: started.password_hash });
  if (started.locale_chosen) keepLanguage(services.config.baseUrl, response, localeNamed(started.locale));
  return { accountId, startedAt: (authenticatedAt ?? now).toISOString() };
}

/**
 * The account, locked before the passkey, as where access ends; undefined when what the person signed in with
 * has ended meanwhile.
 */
async function lockSignedIn(
  tx: Transaction,
  accountId: string,
  means: SignInMeans,
): Promise<Pick<AccountRow, 'locale' | 'locale_chosen' | 'password_hash'> | undefined> {
  const own = { account_id: accountId };
  const wanted = ['locale', 'locale_chosen', 'password_hash'] as const;
  const account = await accounts.find(tx, wanted, own, 'FOR SHARE');
  if ('passkeyId' in means) {
    const passkey = { ...own, credential_id: means.passkeyId };
    return (await passkeys.find(tx, ['credential_id'], passkey, 'FOR SHARE')) && account;
  }
  if ('upstreamAt' in means) return account;
  const isSame = means.passwordHash === null || means.passwordHash === account?.password_hash;
  return isSame ? account : undefined;
}

export async function readAccountSession(
  services: SessionServices,
  request: WithCookies,
): Promise<AccountSession | undefined> {
  const token = readCookie(request, cookieName(services));
  if (token === undefined || token === '') return undefined;
  const id = hashSecretToken(token);
  const [row] = await services.database.read<SessionRow>(READ, [id, services.clock()]);
  return (
    row && {
      accountId: row.account_id,
      email: row.email,
      emailVerified: row.email_verified,
      locale: localeNamed(row.locale),
      timeZone: row.time_zone,
      id,
      startedAt: row.started_at,
    }
  );
}

/** Signs out in this browser. */
export async function endAccountSession(
  services: SessionServices,
  request: WithCookies,
  response: Response,
): Promise<void> {
  await forgetApprovals(services, request, response);
  await forgetSession(services, request);
  clearCookie(services.config.baseUrl, response, cookieName(services), '/');
}

async function forgetSession(services: SessionServices, request: WithCookies): Promise<void> {
  const token = readCookie(request, cookieName(services));
  if (token !== undefined && token !== '')
    await accountSessions.delete(services.database, { token_hash: hashSecretToken(token) });
}

/** The cookie of oidc-provider's session, which keeps what was approved in the browser. */
export const APPROVALS_COOKIE = 'oauth_session';

/**
 * Approvals end at sign-out, or at the next sign-in after a session has ended. The sessions of the pages that
 * were approved end with them.
 */
async function forgetApprovals(
  services: SessionServices,
  request: WithCookies,
  response: Response,
): Promise<void> {
  endAppSessions(services, response);
  const id = readCookie(request, APPROVALS_COOKIE);
  if (id !== undefined) await services.database.read(FORGET_APPROVALS, [hashSecretToken(id)]);
}

const FORGET_APPROVALS = {
  name: 'account_session_forget_approvals',
  text: `DELETE FROM oauth_artifacts WHERE id_hash = $1 AND kind = 'Session'`,
};

function cookieName({ config }: Pick<AccountServices, 'config'>): string {
  return hostCookieName(config.baseUrl, 'account_session');
}
