import { Readable } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import express from 'express';
import { rateLimitHeaders, WINDOW_SECONDS } from '../access/RateLimiter.js';
import { addressBlock } from '../domain/addressBlock.js';
import { ServiceError } from '../errors.js';
import type { AuthenticatedClient, ClientCredentials } from './authenticateClient.js';
import { authenticateClient, basicCredentials, clientCredentials } from './authenticateClient.js';
import { isFirstPartySecret } from './firstPartyClient.js';
import { introspectToken } from './introspectToken.js';
import type { AccountServices } from '../accounts/AccountServices.js';
import type { Form } from './readForm.js';
import { readForm, singleField } from './readForm.js';
import { revokeToken } from './revokeToken.js';
import { sendErrorBody } from './sendErrorBody.js';
import { BASIC_CHALLENGE, EXPOSED_HEADERS, sendOauthError } from './sendOauthError.js';
import type { ThrottleState } from '../accounts/Throttle.js';
import { Throttle } from '../accounts/Throttle.js';

/** Passes a request whose body was already read to the provider. */
export type TokenEndpoint = (request: IncomingMessage, response: Response) => Promise<void>;

/** The token, introspection and revocation endpoints. */
export function tokenRouter(services: AccountServices, issueToken: TokenEndpoint): express.Router {
  const router = express.Router();
  router.post('/oauth/token', tokenHandler(services, issueToken));
  router.post('/oauth/introspect', (request, response) => introspect(services, request, response));
  router.post('/oauth/revoke', (request, response) => revoke(services, request, response));
  return router;
}

function tokenHandler(services: AccountServices, issueToken: TokenEndpoint): RequestHandler {
  const budgets = budgetsOf(services);
  return async (request, response) => {
    response.set(READABLE);
    const form = await readForm(request);
    if (form === undefined) return sendOauthError(response, NOT_A_FORM);
    const credentials = clientCredentials(request, form);
    if (budgets !== undefined) {
      const budget = (await provesItself(services, credentials)) ? budgets.proven : budgets.failed;
      const state = await budget.count(limitedBy(request, credentials));
      response.set(rateLimitHeaders({ operationClass: 'token', limit: budgets.most, ...state }));
      if (state.refused) return refuseForNow(response, state);
    }
    // RFC 6749, 5.2: a missing authentication is `invalid_client` too.
    if (credentials === undefined) return sendOauthError(response, INVALID_CLIENT);
    for (const name of Object.keys(READABLE)) response.removeHeader(name);
    return issueToken(replay(request, form.bytes), response);
  };
}

/**
 * Any page may read a refusal that comes before the client is looked at. The provider decides on its answers,
 * by the client, only when none of these headers is set.
 */
const READABLE = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': EXPOSED_HEADERS };

interface Budgets {
  most: number;
  proven: Throttle;
  /** A separate limit: a caller who knows only a client's id cannot use up the client's own. */
  failed: Throttle;
}

function budgetsOf(services: AccountServices): Budgets | undefined {
  const { rateLimits } = services.config;
  if (rateLimits === 'off') return undefined;
  const most = rateLimits.token;
  const budget = (name: string) => new Throttle(services, { name, most, windowSeconds: WINDOW_SECONDS });
  return { most, proven: budget('token'), failed: budget('token_failed') };
}

async function provesItself(
  services: AccountServices,
  credentials: ClientCredentials | undefined,
): Promise<boolean> {
  if (credentials === undefined) return false;
  const { clientId, secret = '' } = credentials;
  if (isFirstPartySecret(services.secrets, clientId, secret)) return true;
  return (await authenticateClient(services, credentials, true)) !== undefined;
}

/** The claimed client id and the IP address. All invalid ids count as one client. */
function limitedBy(request: Request, credentials: ClientCredentials | undefined): string {
  const claimed = credentials?.clientId ?? '';
  const client = /^app_[0-9a-z]{26}$/.test(claimed) ? claimed : 'unknown';
  return `${client} ${addressBlock(request.ip ?? '')}`;
}

function refuseForNow(response: Response, { resetSeconds }: ThrottleState): void {
  response.set('Retry-After', String(resetSeconds));
  const description = `Too many token requests. Try again in ${resetSeconds} s.`;
  sendOauthError(response, { status: 429, error: 'rate_limited', description });
}

/** A copy of the request with a readable body. */
function replay(request: Request, body: Buffer): IncomingMessage {
  const { headers, rawHeaders, method, url, httpVersion, httpVersionMajor, httpVersionMinor, socket } =
    request;
  const original = {
    headers,
    rawHeaders,
    method,
    url,
    httpVersion,
    httpVersionMajor,
    httpVersionMinor,
    socket,
  };
  return Object.assign(Readable.from([body]), original) as unknown as IncomingMessage;
}

async function introspect(services: AccountServices, request: Request, response: Response): Promise<void> {
  try {
    const form = await readForm(request);
    const credentials = form === undefined ? basicCredentials(request) : clientCredentials(request, form);
    const client = await authenticateClient(services, credentials, false);
    if (client === undefined)
      throw new ServiceError('unauthenticated', 'The client is unknown, disabled, or its secret is wrong.');
    const missing = missingScope(client, 'tokens:introspect');
    if (missing !== undefined) throw missing;
    response
      .set('Cache-Control', 'no-store')
      .json(await introspectToken(services, client.appId, tokenField(form)));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    sendErrorBody(response, error);
  }
}

function tokenField(form: Form | undefined): string {
  if (form === undefined)
    throw new ServiceError('unsupported_media_type', NOT_A_FORM.description, {
      accepts: { Accept: 'application/x-www-form-urlencoded' },
    });
  const token = singleField(form, 'token');
  if (token === undefined)
    throw new ServiceError('invalid_request', 'The parameter token must be given once.');
  return token;
}

function missingScope(client: AuthenticatedClient, scope: string): ServiceError | undefined {
  if (client.allowedScopes.includes(scope)) return undefined;
  const message = `The app's allowed scopes do not include ${scope}.`;
  const details = [{ code: 'missing_scope', message }];
  return new ServiceError('insufficient_scope', message, { details, missingScopes: [scope] });
}

/** RFC 7009. Answers 200 for an unknown token too. */
async function revoke(services: AccountServices, request: Request, response: Response): Promise<void> {
  const form = await readForm(request);
  const client = form && (await authenticateClient(services, clientCredentials(request, form), true));
  const token = form && singleField(form, 'token');
  if (form === undefined) return sendOauthError(response, NOT_A_FORM);
  if (client === undefined) return sendOauthError(response, INVALID_CLIENT);
  const missing = missingScope(client, 'tokens:revoke');
  if (missing !== undefined) return refuseRevocation(response, missing);
  if (token === undefined) return sendOauthError(response, TOKEN_REQUIRED);
  await revokeToken(services.database, client.appId, token);
  response.set('Cache-Control', 'no-store').status(200).end();
}

function refuseRevocation(response: Response, { code, message }: ServiceError): void {
  response.set('WWW-Authenticate', `${BASIC_CHALLENGE}, error="insufficient_scope", scope="tokens:revoke"`);
  sendOauthError(response, { status: 403, error: code, description: message, scope: 'tokens:revoke' });
}

const NOT_A_FORM = {
  status: 400,
  error: 'invalid_request',
  description: 'The body must be application/x-www-form-urlencoded, of at most 56 KiB.',
};

const INVALID_CLIENT = { status: 401, error: 'invalid_client', description: 'client authentication failed' };

const TOKEN_REQUIRED = {
  status: 400,
  error: 'invalid_request',
  description: 'The parameter token must be given once.',
};
