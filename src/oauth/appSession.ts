import { appSessions } from '../../entities/AppSessionEntity.js';
import { after } from '../../entities/Table.js';
import type { Request, Response } from 'express';
import { hashSecretToken, newSecretToken } from '../domain/secretToken.js';
import { clearCookie, readCookie, setCookie } from '../http/cookies.js';
import type { AccountSession } from '../accounts/AccountSession.js';
import type { FirstPartyPage } from './firstPartyPages.js';
import { FIRST_PARTY_PAGES } from './firstPartyPages.js';
import { LIFETIMES } from './lifetimes.js';
import type { AccountServices } from '../accounts/AccountServices.js';

/** A session of one of this service's pages for one app. The access token never reaches the browser. */
export interface AppSession {
  appId: string;
  accessToken: string;
  scopes: string[];
  /** The person chose fewer scopes than they have, so a renewal requests no more. */
  isNarrowed?: boolean;
}

/** The sealed content. A session works only for the page that started it. */
type Sealed = AppSession & { page: FirstPartyPage['name'] };

/** The visit of a browser to a page, as the pages have it. */
interface Visit {
  services: AccountServices;
  request: Request;
  response: Response;
}

/** Stores a new token under a new secret and ends the browser's previous session of this page. */
export async function startAppSession(
  { services, request, response, account }: Visit & { account: AccountSession },
  page: FirstPartyPage,
  session: AppSession,
): Promise<void> {
  const secret = newSecretToken();
  const sealed = services.secrets.seal(JSON.stringify({ ...session, page: page.name } satisfies Sealed));
  const expiresAt = new Date(services.clock().getTime() + LIFETIMES.session * 1000);
  await forget(services, page, request);
  await appSessions.insert(services.database, {
    token_hash: hashSecretToken(secret),
    account_id: account.accountId,
    app_id: session.appId,
    sealed,
    expires_at: expiresAt,
  });
  const scope = { path: page.path, maxAgeSeconds: LIFETIMES.session };
  setCookie(services.config.baseUrl, response, cookieName(page), secret, scope);
}

/** The session of this browser and page while the same person is signed in. */
export async function readAppSession(
  services: AccountServices,
  page: FirstPartyPage,
  request: Pick<Request, 'headers'>,
  account: AccountSession,
): Promise<AppSession | undefined> {
  const secret = readCookie(request, cookieName(page));
  if (secret === undefined || secret === '') return undefined;
  const row = await appSessions.find(services.database, ['sealed'], {
    token_hash: hashSecretToken(secret),
    account_id: account.accountId,
    expires_at: after(services.clock()),
  });
  if (row === undefined) return undefined;
  const { page: begunFor, ...session } = JSON.parse(services.secrets.open(row.sealed)) as Sealed;
  return begunFor === page.name ? session : undefined;
}

/**
 * Whether the page that sends the request shows the session's app, whose id it sends as `app_id`. A browser
 * has one session per page, and another tab may have opened another app in it.
 */
export function isOfOpenApp({ appId }: AppSession, { url = '' }: { url?: string | undefined }): boolean {
  return new URLSearchParams(url.replace(/^[^?]*/, '')).get('app_id') === appId;
}

export async function endAppSession(
  { services, request, response }: Visit,
  page: FirstPartyPage,
): Promise<void> {
  await forget(services, page, request);
  clearCookie(services.config.baseUrl, response, cookieName(page), page.path);
}

/**
 * Ends the sessions of all pages in this browser. Other paths are not sent their cookies, so the browser
 * forgets them; what is stored can be opened by nobody else and is swept.
 */
export function endAppSessions({ config }: Pick<AccountServices, 'config'>, response: Response): void {
  for (const page of FIRST_PARTY_PAGES) clearCookie(config.baseUrl, response, cookieName(page), page.path);
}

async function forget(services: AccountServices, page: FirstPartyPage, request: Request): Promise<void> {
  const secret = readCookie(request, cookieName(page));
  if (secret === undefined || secret === '') return;
  await appSessions.delete(services.database, { token_hash: hashSecretToken(secret) });
}

function cookieName(page: FirstPartyPage): string {
  return `${page.name}_session`;
}
