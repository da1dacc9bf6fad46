import type { AccountRow } from '../../entities/AccountEntity.js';
import type { AccountSessionEntity } from '../../entities/AccountSessionEntity.js';
import { accountSessions } from '../../entities/AccountSessionEntity.js';
import type { RowOf } from '../../entities/rowOf.js';
import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import { clearCookie, readCookie, setCookie } from '../http/cookies.js';
import { addressBlock } from '../domain/addressBlock.js';
import { localeNamed } from '../texts/locale.js';
import type { AccountSession } from '../accounts/AccountSession.js';
import { keepLanguage } from '../http/localeOfRequest.js';
import { hashSecretToken } from '../domain/secretToken.js';
import { rememberDevice } from './knownDevice.js';
import { LIFETIMES } from './lifetimes.js';
import type { AccountServices } from '../accounts/AccountServices.js';

/** The part of a request that carries cookies. */
type WithCookies = Pick<Request, 'headers'>;

/** The request's IP address and browser, by which a person can recognise a session. */
type WithOrigin = Pick<Request, 'headers' | 'ip'>;

type SessionRow = Pick<AccountRow, 'account_id' | 'email' | 'email_verified' | 'locale' | 'time_zone'> &
  Pick<RowOf<AccountSessionEntity>, 'created_at'>;

type StartedRow = { locale: string | null; password_hash: string | null };

type SessionServices = Pick<AccountServices, 'config' | 'database' | 'clock' | 'secrets'>;

const START = {
  name: 'account_session_start',
  text: `WITH account AS (
           SELECT account_id, password_hash, CASE WHEN locale_chosen THEN locale END AS locale FROM accounts
            WHERE account_id = $2 AND ($7::text IS NULL OR password_hash = $7) FOR SHARE), begun AS (
           INSERT INTO account_sessions (token_hash, account_id, created_at, expires_at, user_agent, address)
           SELECT $1, account_id, $3, $4, $5, $6 FROM account)
         SELECT locale, password_hash FROM account`,
};

/** The account is locked before the passkey, as where access ends: a passkey removed meanwhile is not found. */
const START_BY_PASSKEY = {
  name: 'account_session_start_by_passkey',
  text: `WITH account AS (
           SELECT a.account_id, a.password_hash, CASE WHEN a.locale_chosen THEN a.locale END AS locale
             FROM accounts a JOIN passkeys p ON p.account_id = a.account_id
            WHERE a.account_id = $2 AND p.credential_id = $7 FOR SHARE OF a FOR SHARE OF p), begun AS (
           INSERT INTO account_sessions (token_hash, account_id, created_at, expires_at, user_agent, address)
           SELECT $1, account_id, $3, $4, $5, $6 FROM account)
         SELECT locale, password_hash FROM account`,
};

/** What the person signed in with, if it can be replaced or removed while the session begins. */
export type SignInMeans = { passwordHash: string | null } | { passkeyId: string };

const READ = {
  name: 'account_session_read',
  text: `SELECT s.account_id, s.created_at, COALESCE(a.claimed_email, a.email) AS email, a.email_verified,
    a.locale, a.time_zone FROM account_sessions s JOIN accounts a USING (account_id)
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
  await forgetSession(services, request);
  const [statement, checked] =
    'passkeyId' in means ? [START_BY_PASSKEY, means.passkeyId] : [START, means.passwordHash];
  const [started] = await services.database.read<StartedRow>(statement, [
    hashSecretToken(token),
    accountId,
    now,
    expiresAt,
    request.headers['user-agent']?.slice(0, 400) ?? null,
    addressBlock(request.ip ?? ''),
    checked,
  ]);
  if (started === undefined) return undefined;
  setCookie(services.config.baseUrl, response, cookieName(services), token, {
    path: '/',
    maxAgeSeconds: LIFETIMES.session,
  });
  rememberDevice(services, request, response, { accountId, passwordHash: started.password_hash });
  if (started.locale !== null) keepLanguage(services.config.baseUrl, response, localeNamed(started.locale));
  return { accountId, startedAt: now.toISOString() };
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
      startedAt: row.created_at,
    }
  );
}

/** Signs out in this browser. */
export async function endAccountSession(
  services: SessionServices,
  request: WithCookies,
  response: Response,
): Promise<void> {
  await forgetSession(services, request);
  clearCookie(services.config.baseUrl, response, cookieName(services), '/');
}

async function forgetSession(services: SessionServices, request: WithCookies): Promise<void> {
  const token = readCookie(request, cookieName(services));
  if (token !== undefined && token !== '')
    await accountSessions.delete(services.database, { token_hash: hashSecretToken(token) });
}

/**
 * Over https the prefix `__Host-` makes the browser reject a cookie set by another host, such as a subdomain.
 */
function cookieName({ config }: Pick<AccountServices, 'config'>): string {
  return config.baseUrl.startsWith('https:') ? '__Host-account_session' : 'account_session';
}
