import type { Request, RequestHandler } from 'express';
import type { Provider } from 'oidc-provider';
import { readCookie } from '../http/cookies.js';
import { readAccountSession } from './accountSession.js';
import type { AccountServices } from '../accounts/AccountServices.js';
import { ServiceError } from '../errors.js';
import { readForm } from './readForm.js';

/**
 * Of every answer. The only page that oidc-provider makes itself is the form of `response_mode=form_post`, of
 * whose script it adds the hash to `script-src`. No `form-action`: browsers apply it to redirects of the
 * partner's page too.
 */
const HEADERS = {
  'Content-Security-Policy': "default-src 'none'; script-src; base-uri 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** Prepares an authorization request for oidc-provider. */
export function prepareAuthorization(services: AccountServices, provider: Provider): RequestHandler {
  const cookie = provider.cookieName('session');
  return async (request, response, next) => {
    response.set(HEADERS);
    askForApprovalOfOfflineAccess(request);
    if (await isAnotherPersons(services, provider, request, cookie)) dropCookie(request, cookie);
    next();
  };
}

/** Longer ones could not be sent as an address. */
const MAX_PARAMETERS = 8 * 1024;

/**
 * A request by POST (OpenID Connect Core, 3.1.2.1) is sent on as the same request by GET, with which browsers
 * send their cookies also where a page of another site began it.
 */
export const authorizeByGet: RequestHandler = async (request, response) => {
  const parameters = (await readForm(request))?.fields.toString();
  if (parameters === undefined || parameters.length > MAX_PARAMETERS)
    throw new ServiceError('invalid_request', 'The body must be a form, of at most 8 KiB.');
  response.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
  response.redirect(303, `/oauth/authorize?${parameters}`);
};

/**
 * OpenID Connect requires `prompt=consent` for `offline_access` and otherwise silently drops the scope (Core,
 * 11). OAuth clients do not know this rule, so it is added here, except with `prompt=none`.
 */
function askForApprovalOfOfflineAccess(request: Request): void {
  const [path = '', search = ''] = request.url.split(/\?(.*)/s);
  const parameters = new URLSearchParams(search);
  const prompts = new Set((parameters.get('prompt') ?? '').split(' ').filter(Boolean));
  if (!(parameters.get('scope') ?? '').split(' ').includes('offline_access')) return;
  // A repeated parameter is left for the provider to refuse (RFC 6749, 3.1).
  if (prompts.has('none') || parameters.getAll('prompt').length > 1) return;
  parameters.set('prompt', [...prompts.add('consent')].join(' '));
  request.url = `${path}?${parameters.toString()}`;
  request.originalUrl = request.url;
}

/**
 * Whether oidc-provider's session must be dropped: it is valid only while the account session is of the same
 * person, and not with `prompt=login`.
 */
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
