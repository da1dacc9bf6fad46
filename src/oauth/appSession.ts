import type { Request, Response } from 'express';
import { hashSecretToken, newSecretToken } from '../domain/secretToken.js';
import { clearCookie, readCookie, setCookie } from '../http/cookies.js';
import type { AccountSession } from '../accounts/AccountSession.js';
import type { FirstPartyPage } from './firstPartyPages.js';
import { LIFETIMES } from './lifetimes.js';
import type { AccountServices } from '../accounts/AccountServices.js';

/** A page of this service open for one app. The token never leaves the service. */
export interface AppSession {
  appId: string;
  accessToken: string;
  scopes: string[];
  /** The person chose fewer rights than they have: renewing asks for no more. */
  isNarrowed?: boolean;
}

/** What is sealed: a session is worth something to the page that it was begun for only. */
type Sealed = AppSession & { page: FirstPartyPage['name'] };

interface SessionRow extends Record<string, unknown> {
  sealed: string;
}

// The table keeps its first name, so that processes of two releases can run side by side.
const START = {
  name: 'app_session_start',
  text: `INSERT INTO graphiql_sessions (token_hash, account_id, app_id, sealed, expires_at)
    VALUES ($1, $2, $3, $4, $5)`,
};

const READ = {
  name: 'app_session_read',
  text: `SELECT sealed FROM graphiql_sessions WHERE token_hash = $1 AND account_id = $2 AND expires_at > $3`,
};

const END = { name: 'app_session_end', text: `DELETE FROM graphiql_sessions WHERE token_hash = $1` };

/** Keeps a fresh token under a fresh secret; what the browser had before for this page ends. */
export async function startAppSession(
  services: AccountServices,
  page: FirstPartyPage,
  request: Request,
  response: Response,
  account: AccountSession,
  session: AppSession,
): Promise<void> {
  const secret = newSecretToken();
  const sealed = services.secrets.seal(JSON.stringify({ ...session, page: page.name } satisfies Sealed));
  const expiresAt = new Date(services.clock().getTime() + LIFETIMES.session * 1000);
  await forget(services, page, request);
  const values = [hashSecretToken(secret), account.accountId, session.appId, sealed, expiresAt];
  await services.database.read(START, values);
  const scope = { path: page.path, maxAgeSeconds: LIFETIMES.session };
  setCookie(services.config.baseUrl, response, cookieName(page), secret, scope);
}

/** The session of this browser and page, while the same person is signed in. */
export async function readAppSession(
  services: AccountServices,
  page: FirstPartyPage,
  request: Pick<Request, 'headers'>,
  account: AccountSession,
): Promise<AppSession | undefined> {
  const secret = readCookie(request, cookieName(page));
  if (secret === undefined || secret === '') return undefined;
  const values = [hashSecretToken(secret), account.accountId, services.clock()];
  const [row] = await services.database.read<SessionRow>(READ, values);
  if (row === undefined) return undefined;
  const { page: begunFor, ...session } = JSON.parse(services.secrets.open(row.sealed)) as Sealed;
  return begunFor === page.name ? session : undefined;
}

export async function endAppSession(
  services: AccountServices,
  page: FirstPartyPage,
  request: Request,
  response: Response,
): Promise<void> {
  await forget(services, page, request);
  clearCookie(services.config.baseUrl, response, cookieName(page), page.path);
}

async function forget(services: AccountServices, page: FirstPartyPage, request: Request): Promise<void> {
  const secret = readCookie(request, cookieName(page));
  if (secret !== undefined && secret !== '') await services.database.read(END, [hashSecretToken(secret)]);
}

function cookieName(page: FirstPartyPage): string {
  return `${page.name}_session`;
}
