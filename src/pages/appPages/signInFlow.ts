import * as client from 'openid-client';
import type { Scope } from '../../domain/scopes.js';
import type { AppSession } from '../../oauth/appSession.js';
import { firstPartyClient } from '../../oauth/firstPartyClient.js';
import type { FirstPartyPage } from '../../oauth/firstPartyPages.js';
import { firstPartyCallback } from '../../oauth/firstPartyPages.js';
import type { MemberApp } from '../../oauth/listMemberApps.js';
import { SealedCookie } from '../../http/SealedCookie.js';
import type { SignedInVisit } from '../account/signedIn.js';

/** The start options of an authorization. */
export interface FlowStart {
  /** Renew without asking the person. The response goes to a script. */
  silent: boolean;
  /** The path of the page to open afterwards. */
  returnTo: string;
  /** The chosen scopes, if the person chose fewer than all of theirs. */
  chosen?: readonly Scope[];
}

/** An authorization in progress, kept in the browser that started it. */
interface Flow extends FlowStart {
  appId: string;
  isPublic: boolean;
  state: string;
  nonce: string;
  verifier: string;
}

/** The URL at which the person, or silently their session, authorizes the page for an app. */
export async function beginSignIn(
  { services, response }: SignedInVisit,
  page: FirstPartyPage,
  app: MemberApp,
  start: FlowStart,
): Promise<string> {
  const flow: Flow = {
    ...start,
    appId: app.appId,
    isPublic: app.isPublic,
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
  };
  flowOf(page, flow.state).set(services, response, flow);
  const address = client.buildAuthorizationUrl(firstPartyClient(services, app.appId, app.isPublic), {
    redirect_uri: firstPartyCallback(services.config.baseUrl, page),
    scope: ['openid', ...(start.chosen ?? app.scopes)].join(' '),
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
    ...(flow.silent ? { prompt: 'none' } : {}),
  });
  return address.toString();
}

/** The flow that this browser started for the page and that is answered. It can be taken only once. */
export function takeFlow(visit: SignedInVisit, page: FirstPartyPage): Flow | undefined {
  const { services, request, response } = visit;
  const cookie = flowOf(page, visit.parameter('state') ?? '');
  const flow = cookie.read(services, request);
  if (flow !== undefined) cookie.clear(services, response);
  return flow;
}

/**
 * Exchanges the code for a token. Checks state, nonce, issuer and PKCE.
 *
 * @throws Error when a check fails or the token belongs to another person than the signed-in one
 */
export async function completeSignIn(
  { services, request, account }: SignedInVisit,
  flow: Flow,
): Promise<AppSession> {
  const configuration = firstPartyClient(services, flow.appId, flow.isPublic);
  const answer = new URL(request.originalUrl, services.config.baseUrl);
  const tokens = await client.authorizationCodeGrant(configuration, answer, {
    expectedState: flow.state,
    expectedNonce: flow.nonce,
    pkceCodeVerifier: flow.verifier,
    idTokenExpected: true,
  });
  if (tokens.claims()?.sub !== account.accountId) throw new Error('The token belongs to another account.');
  const scopes = (tokens.scope ?? '').split(' ').filter((scope) => scope !== '' && scope !== 'openid');
  const isNarrowed = flow.chosen !== undefined;
  return { appId: flow.appId, accessToken: tokens.access_token, scopes, isNarrowed };
}

/** Keeps a flow. Each has a cookie of its own, as a browser may have one under way in each of its tabs. */
function flowOf({ name, path }: FirstPartyPage, state: string): SealedCookie<Flow> {
  return new SealedCookie(`${name}_sign_in_${state}`, { path, maxAgeSeconds: 600 });
}
