import type { Request, Response } from 'express';
import * as client from 'openid-client';
import type { AccountSession } from '../../oauth/accountSession.js';
import { graphiqlCallback, graphiqlClient } from '../../oauth/graphiqlClient.js';
import type { GraphiqlSession } from '../../oauth/graphiqlSession.js';
import type { MemberApp } from '../../oauth/listMemberApps.js';
import { clearCookie, readCookie, setCookie } from '../pages/cookies.js';
import type { PageServices } from '../PageServices.js';

const COOKIE = 'graphiql_sign_in';
const PATH = '/graphiql';
const LIFETIME_SECONDS = 600;

/** One authorization on its way, kept sealed in the browser that began it. */
interface Flow {
  appId: string;
  isPublic: boolean;
  state: string;
  nonce: string;
  verifier: string;
  /** Renewing without asking: the answer goes to a script, not to the person. */
  silent: boolean;
  expiresAt: number;
}

/** The address at which the person (or, silently, their session) authorizes GraphiQL for an app. */
export async function beginSignIn(
  services: PageServices,
  response: Response,
  app: MemberApp,
  silent: boolean,
): Promise<string> {
  const flow: Flow = {
    appId: app.appId,
    isPublic: app.isPublic,
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
    silent,
    expiresAt: services.clock().getTime() + LIFETIME_SECONDS * 1000,
  };
  const sealed = services.secrets.seal(JSON.stringify(flow));
  setCookie(services.config.baseUrl, response, COOKIE, sealed, { path: PATH, maxAgeSeconds: LIFETIME_SECONDS });
  const address = client.buildAuthorizationUrl(graphiqlClient(services, app.appId, app.isPublic), {
    redirect_uri: graphiqlCallback(services.config.baseUrl),
    scope: ['openid', ...app.scopes].join(' '),
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
    ...(silent ? { prompt: 'none' } : {}),
  });
  return address.toString();
}

/** The flow that this browser began; it can be taken once. */
export function takeFlow(services: PageServices, request: Request, response: Response): Flow | undefined {
  const sealed = readCookie(request, COOKIE);
  clearCookie(services.config.baseUrl, response, COOKIE, PATH);
  if (sealed === undefined || sealed === '') return undefined;
  try {
    const flow = JSON.parse(services.secrets.open(sealed)) as Flow;
    return flow.expiresAt > services.clock().getTime() ? flow : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Exchanges the code for a token, with state, nonce, issuer and PKCE checked.
 *
 * @throws Error when anything does not fit, or the token is another person's than the one signed in
 */
export async function completeSignIn(
  services: PageServices,
  request: Request,
  flow: Flow,
  account: AccountSession,
): Promise<GraphiqlSession> {
  const configuration = graphiqlClient(services, flow.appId, flow.isPublic);
  const answer = new URL(request.originalUrl, services.config.baseUrl);
  const tokens = await client.authorizationCodeGrant(configuration, answer, {
    expectedState: flow.state,
    expectedNonce: flow.nonce,
    pkceCodeVerifier: flow.verifier,
    idTokenExpected: true,
  });
  if (tokens.claims()?.sub !== account.accountId) throw new Error('The token belongs to another account.');
  const scopes = (tokens.scope ?? '').split(' ').filter((scope) => scope !== '' && scope !== 'openid');
  return { appId: flow.appId, accessToken: tokens.access_token, scopes };
}
