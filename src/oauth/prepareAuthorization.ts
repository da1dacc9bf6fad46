import type { Request, RequestHandler } from 'express';
import type { Provider } from 'oidc-provider';
import { readCookie } from '../http/cookies.js';
import { readAccountSession } from './accountSession.js';
import type { AccountServices } from '../accounts/AccountServices.js';

/** Before oidc-provider looks at an authorization request. */
export function prepareAuthorization(services: AccountServices, provider: Provider): RequestHandler {
  const cookie = provider.cookieName('session');
  return async (request, response, next) => {
    response.set({ 'Referrer-Policy': 'no-referrer', 'X-Content-Type-Options': 'nosniff' });
    askForApprovalOfOfflineAccess(request);
    if (await isAnotherPersons(services, provider, request, cookie)) dropCookie(request, cookie);
    next();
  };
}

/**
 * OpenID Connect wants `prompt=consent` for `offline_access` and drops the scope without a word otherwise
 * (Core, 11). OAuth clients do not know of that; here the person is always asked.
 */
function askForApprovalOfOfflineAccess(request: Request): void {
  const [path = '', search = ''] = request.url.split(/\?(.*)/s);
  const parameters = new URLSearchParams(search);
  const prompts = new Set((parameters.get('prompt') ?? '').split(' ').filter(Boolean));
  if (!(parameters.get('scope') ?? '').split(' ').includes('offline_access')) return;
  if (prompts.has('none')) return;
  parameters.set('prompt', [...prompts.add('consent')].join(' '));
  request.url = `${path}?${parameters.toString()}`;
  request.originalUrl = request.url;
}

/** The account's session decides: oidc-provider's own counts only while it is of the same person. */
async function isAnotherPersons(
  services: AccountServices,
  provider: Provider,
  request: Request,
  cookie: string,
): Promise<boolean> {
  const id = readCookie(request, cookie);
  if (id === undefined) return false;
  if (String(request.query['prompt'] ?? '').includes('login')) return true;
  const [session, account] = await Promise.all([
    provider.Session.find(id),
    readAccountSession(services, request),
  ]);
  return session?.accountId !== undefined && session.accountId !== account?.accountId;
}

function dropCookie(request: Request, name: string): void {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  request.headers.cookie = pairs.filter((pair) => !pair.startsWith(`${name}=`)).join('; ');
}
