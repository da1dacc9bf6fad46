import express from 'express';
import * as client from 'openid-client';
import { describeError } from '../access/describeError.js';
import type { UpstreamProvider } from '../config.js';
import { SealedCookie } from '../http/SealedCookie.js';
import { timeZoneOf } from '../http/timeZoneOf.js';
import { html } from '../html/html.js';
import { pageForm } from '../html/pageForm.js';
import type { PageStep } from '../html/PageVisit.js';
import { PageVisit } from '../html/PageVisit.js';
import { startAccountSession } from './accountSession.js';
import type { UpstreamNewcomer } from '../accounts/findOrCreateUpstreamAccount.js';
import { findOrCreateUpstreamAccount } from '../accounts/findOrCreateUpstreamAccount.js';
import { LIFETIMES } from './lifetimes.js';
import type { AccountServices } from '../accounts/AccountServices.js';

/** The value to which sign-in forms are bound, because there is no session yet. */
export const SIGN_IN_FORM = 'sign-in';

const PATH = '/oauth/upstream';

/** One upstream sign-in in progress, kept in the browser that started it. */
interface Journey {
  state: string;
  nonce: string;
  verifier: string;
  returnTo: string;
  /** Whether the person must sign in at the provider again, also where they are signed in there. */
  isRepeated: boolean;
  begunAt: number;
}

/** Keeps a sign-in. Each has a cookie of its own, as a browser may have one under way in each of its tabs. */
function journeyOf(state: string): SealedCookie<Journey> {
  return new SealedCookie(`upstream_sign_in_${state}`, { path: PATH, maxAgeSeconds: 600 });
}

/**
 * The action of a page's "Continue with …" form, guarded by `SIGN_IN_FORM`.
 *
 * @param returnTo the path of this service to open afterwards, signed in or not
 * @param isRepeated whether a sign-in that the person did at the provider before is not enough
 */
export function upstreamAction(returnTo: string, isRepeated: boolean): string {
  const parameters = { return_to: returnTo, ...(isRepeated ? { again: '1' } : {}) };
  return `${PATH}/start?${new URLSearchParams(parameters).toString()}`;
}

/** Sign-in through an upstream OpenID provider: authorization code with PKCE, state and nonce. */
export function upstreamRouter(services: AccountServices): express.Router {
  const router = express.Router();
  const { upstream } = services.config;
  if (upstream === undefined) return router;
  const discovered = discoveryOf(upstream);
  const form = pageForm('16kb');
  const attempting = (step: Step) => (visit: PageVisit) =>
    attempt(visit, upstream.label, async () => step(visit, await discovered()));
  const start: PageStep = (visit) =>
    visit.isOwnForm(SIGN_IN_FORM) ? attempting(begin)(visit) : sendFailure(visit, upstream.label);
  router.post(`${PATH}/start`, form, PageVisit.at(services, start));
  router.get(
    `${PATH}/start`,
    PageVisit.leading(services, (visit) => visit.withReturn('/sign-in')),
  );
  router.get(`${PATH}/callback`, PageVisit.at(services, attempting(complete)));
  return router;
}

/**
 * Discovers the provider at the first sign-in, and again after a failure, so that the service can start while
 * the provider is down.
 */
function discoveryOf(upstream: UpstreamProvider): () => Promise<client.Configuration> {
  let found: Promise<client.Configuration> | undefined;
  const plain = upstream.issuer.startsWith('http:');
  const options = plain ? { execute: [client.allowInsecureRequests] } : {};
  const { issuer, clientId, clientSecret } = upstream;
  return () => {
    found ??= client
      .discovery(new URL(issuer), clientId, clientSecret, undefined, options)
      .catch((error: unknown) => {
        found = undefined;
        throw error;
      });
    return found;
  };
}

type Step = (visit: PageVisit, upstream: client.Configuration) => Promise<void>;

/** @throws errors of an unavailable database, which `answerOauthFailures` answers with 503 */
async function attempt(visit: PageVisit, label: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (describeError(error).code === 'unavailable') throw error;
    const reason = error instanceof Error ? error.message : 'unknown';
    visit.services.log.warn({ reason }, 'Upstream sign-in failed');
    sendFailure(visit, label);
  }
}

/** Makes the provider ask the person to sign in, and tell when they did (OpenID Connect Core, 3.1.2.1). */
const SIGN_IN_AGAIN = { prompt: 'login', max_age: '0' };

/** Makes the provider tell when the person signed in. The age is so large that it asks nobody. */
const TELL_TIME = { max_age: String(LIFETIMES.grant) };

const begin: Step = async (visit, upstream) => {
  const { services, response, returnTo } = visit;
  const journey: Journey = {
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
    returnTo,
    isRepeated: visit.parameter('again') !== undefined,
    begunAt: services.clock().getTime(),
  };
  const address = client.buildAuthorizationUrl(upstream, {
    redirect_uri: callbackOf(services),
    scope: 'openid email',
    state: journey.state,
    nonce: journey.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(journey.verifier),
    code_challenge_method: 'S256',
    ...(journey.isRepeated ? SIGN_IN_AGAIN : TELL_TIME),
  });
  journeyOf(journey.state).set(services, response, journey);
  visit.goTo(address.href);
};

const complete: Step = async (visit, upstream) => {
  const { services, request, response } = visit;
  const journey = journeyAnswered(visit);
  if (journey === undefined) throw new Error('This browser has begun no sign-in in the last ten minutes.');
  journeyOf(journey.state).clear(services, response);
  const search = request.originalUrl.replace(/[^?]*/, '');
  const tokens = await client.authorizationCodeGrant(upstream, new URL(callbackOf(services) + search), {
    expectedState: journey.state,
    expectedNonce: journey.nonce,
    pkceCodeVerifier: journey.verifier,
    // Requires `auth_time`, which must not be before the journey: the browser may have changed the request.
    ...(journey.isRepeated
      ? { maxAge: Math.ceil((services.clock().getTime() - journey.begunAt) / 1000) }
      : {}),
  });
  const newcomer = { locale: visit.locale, timeZone: timeZoneOf(request) };
  const accountId = await accountOf(services, upstream, tokens, newcomer);
  const upstreamAt = authenticationOf(tokens, journey, services.clock());
  await startAccountSession(services, request, response, accountId, { upstreamAt });
  visit.goTo(journey.returnTo);
};

/** The sign-in that the provider's answer belongs to, if this browser began it. */
function journeyAnswered(visit: PageVisit): Journey | undefined {
  return journeyOf(visit.parameter('state') ?? '').read(visit.services, visit.request);
}

type Tokens = Awaited<ReturnType<typeof client.authorizationCodeGrant>>;

/**
 * When the person signed in at the provider; the epoch where it does not tell. A repeated sign-in was within
 * the journey, whatever the provider's clock says.
 */
function authenticationOf(tokens: Tokens, { isRepeated, begunAt }: Journey, now: Date): Date {
  const told = (tokens.claims()?.auth_time ?? 0) * 1000;
  return new Date(Math.min(now.getTime(), isRepeated ? Math.max(told, begunAt) : told));
}

/**
 * The account of the upstream identity. Its e-mail address is from the ID token or, where that has none, from
 * the userinfo endpoint.
 */
async function accountOf(
  services: AccountServices,
  upstream: client.Configuration,
  tokens: Tokens,
  newcomer: UpstreamNewcomer,
): Promise<string> {
  const claims = tokens.claims();
  if (claims === undefined) throw new Error('The upstream provider sent no ID token.');
  const { userinfo_endpoint: userinfo } = upstream.serverMetadata();
  const lacksEmail = claims['email'] === undefined && userinfo !== undefined;
  const person = lacksEmail ? await client.fetchUserInfo(upstream, tokens.access_token, claims.sub) : claims;
  const identity = {
    issuer: claims.iss,
    subject: claims.sub,
    email: typeof person['email'] === 'string' ? person['email'] : undefined,
    emailVerified: person['email_verified'] === true,
  };
  const accountId = await findOrCreateUpstreamAccount(services, identity, newcomer);
  if (accountId === undefined)
    throw new Error('The upstream identity has no verified e-mail address of its own.');
  return accountId;
}

function callbackOf({ config }: AccountServices): string {
  return `${config.baseUrl}${PATH}/callback`;
}

function sendFailure(visit: PageVisit, label: string): void {
  const { signIn, errors } = visit.texts;
  const returnTo = journeyAnswered(visit)?.returnTo ?? visit.returnTo;
  const back = html`<div class="actions"><a class="button quiet" href="${returnTo}">${errors.back}</a></div>`;
  visit.say(400, errors.formTitle, html`<p>${signIn.upstreamFailed(label)}</p>`, back);
}
