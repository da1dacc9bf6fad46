import type { Request, Response } from 'express';
import express from 'express';
import { passkeySignInOptions, signInWithPasskey } from '../../accounts/passkeys.js';
import { addressBlock } from '../../domain/addressBlock.js';
import { Throttle } from '../../accounts/Throttle.js';
import { pageHeaders } from '../../html/pageHeaders.js';
import { passkeyForm } from '../../html/passkeyForm.js';
import { findConnectionLink } from '../../loaders/findConnectionLink.js';
import { endAccountSession, readAccountSession, startAccountSession } from '../../oauth/accountSession.js';
import { deviceMark } from '../../oauth/knownDevice.js';
import type { SignInResult } from '../../oauth/signIn.js';
import { signIn } from '../../oauth/signIn.js';
import { signUp } from '../../oauth/signUp.js';
import { SIGN_IN_FORM, upstreamAction, upstreamTargets } from '../../oauth/upstreamRouter.js';
import { formText, queryText } from '../../http/formValues.js';
import { localeOfRequest } from '../../http/localeOfRequest.js';
import { formToken, isOwnForm } from '../../html/formGuard.js';
import { sendFormRefused } from '../../html/sendFormRefused.js';
import { sendOn, sendPage } from '../../html/sendPage.js';
import type { SignInView } from '../../html/signInPage.js';
import { signInPage } from '../../html/signInPage.js';
import type { SignUpView } from '../../html/signUpPage.js';
import { signUpPage } from '../../html/signUpPage.js';
import type { AccountServices } from '../../accounts/AccountServices.js';
import { textsFor } from '../../texts/textsFor.js';
import { signOutBinding } from './accountBar.js';
import { returnPath } from '../../http/returnPath.js';
import { signUpProblems } from './signUpProblems.js';
import { timeZoneOf } from './timeZoneOf.js';
import { waitMinutes } from '../../html/waitMinutes.js';

const SIGN_UP = 'sign-up';

/** Challenges that one network is given: each is a row. */
const PASSKEY_RULE = { name: 'passkey_challenge', most: 100, windowSeconds: 15 * 60 } as const;

/**
 * Signing in, creating an account and signing out; each leads back to the page named in `return_to`, if it is
 * ours.
 */
export function accountRouter(services: AccountServices): express.Router {
  const router = express.Router();
  // Whoever withdraws signs in first: neither must wait for what occupies the database.
  const urgent = { ...services, database: services.database.urgent };
  router.get('/sign-in', (request, response) => showSignIn(urgent, request, response, 200, {}));
  router.post('/sign-in', (request, response) => handleSignIn(urgent, request, response));
  router.post('/sign-in/passkey/options', (request, response) =>
    sendPasskeyOptions(urgent, request, response),
  );
  router.post('/sign-in/passkey', (request, response) => handlePasskey(urgent, request, response));
  router.get('/sign-up', (request, response) => showSignUp(services, request, response, 200, {}));
  router.post('/sign-up', (request, response) => handleSignUp(services, request, response));
  router.post('/sign-out', (request, response) => handleSignOut(services, request, response));
  return router;
}

function pathWithReturn(path: string, request: Request): string {
  return `${path}?return_to=${encodeURIComponent(returnPath(queryText(request, 'return_to')))}`;
}

async function showSignIn(
  services: AccountServices,
  request: Request,
  response: Response,
  status: number,
  more: Partial<SignInView>,
): Promise<void> {
  const view: SignInView = {
    locale: localeOfRequest(request),
    ...(await leadOf(services, request)),
    action: pathWithReturn('/sign-in', request),
    guard: formToken(services, request, response, SIGN_IN_FORM),
    signUpHref: pathWithReturn('/sign-up', request),
    forgotHref: pathWithReturn('/forgot-password', request),
    passkey: passkeyForm(
      localeOfRequest(request),
      formToken(services, request, response, SIGN_IN_FORM),
      returnPath(queryText(request, 'return_to')),
    ),
    ...upstreamOf(services, request),
    ...more,
  };
  sendPage(response, status, signInPage(view), {
    formTargets: upstreamTargets(services.config),
    connects: true,
  });
}

/** On the way to a partner's question: for whom the person signs in. */
async function leadOf(services: AccountServices, request: Request): Promise<{ lead?: string }> {
  const sessionId = /^\/connect\/(\w+)$/.exec(returnPath(queryText(request, 'return_to')))?.[1];
  if (sessionId === undefined) return {};
  const link = await findConnectionLink(services.database, sessionId);
  if (link?.appActive !== true) return {};
  return { lead: textsFor(localeOfRequest(request)).connect.signInLead(link.appName) };
}

function upstreamOf(
  { config: { upstream } }: AccountServices,
  request: Request,
): Pick<SignInView, 'upstream'> {
  if (upstream === undefined) return {};
  const action = upstreamAction(returnPath(queryText(request, 'return_to')));
  return { upstream: { label: upstream.label, action } };
}

async function handleSignIn(services: AccountServices, request: Request, response: Response): Promise<void> {
  const locale = localeOfRequest(request);
  if (!isOwnForm(services, request, SIGN_IN_FORM))
    return sendFormRefused(response, locale, pathWithReturn('/sign-in', request));
  const credentials = {
    email: formText(request, 'email'),
    password: formText(request, 'password'),
    address: request.ip ?? '',
    device: deviceMark(services, request),
  };
  const result = await signIn(services, credentials);
  if (result.kind !== 'signed_in')
    return refuseSignIn(services, request, response, result, credentials.email);
  await startAccountSession(services, request, response, result.accountId);
  sendOn(response, returnPath(queryText(request, 'return_to')));
}

async function sendPasskeyOptions(
  services: AccountServices,
  request: Request,
  response: Response,
): Promise<void> {
  if (!isOwnForm(services, request, SIGN_IN_FORM))
    return sendFormRefused(response, localeOfRequest(request), '/sign-in');
  const wait = await new Throttle(services, PASSKEY_RULE).take(addressBlock(request.ip ?? ''));
  response.set({ ...pageHeaders(), 'Content-Type': 'application/json; charset=utf-8' });
  if (wait > 0) return void response.status(429).set('Retry-After', String(wait)).end('{}');
  response.end(JSON.stringify(await passkeySignInOptions(services)));
}

async function handlePasskey(services: AccountServices, request: Request, response: Response): Promise<void> {
  const locale = localeOfRequest(request);
  if (!isOwnForm(services, request, SIGN_IN_FORM))
    return sendFormRefused(response, locale, pathWithReturn('/sign-in', request));
  const accountId = await signInWithPasskey(services, formText(request, 'credential'));
  if (accountId === undefined)
    return showSignIn(services, request, response, 401, { error: textsFor(locale).account.passkeyRefused });
  await startAccountSession(services, request, response, accountId);
  sendOn(response, returnPath(queryText(request, 'return_to')));
}

type Refusal = Exclude<SignInResult, { kind: 'signed_in' }>;

async function refuseSignIn(
  services: AccountServices,
  request: Request,
  response: Response,
  refusal: Refusal,
  email: string,
): Promise<void> {
  const texts = textsFor(localeOfRequest(request)).signIn;
  if (refusal.kind === 'refused')
    return showSignIn(services, request, response, 401, { email, error: texts.failed });
  response.set('Retry-After', String(refusal.retryAfterSeconds));
  await showSignIn(services, request, response, 429, {
    email,
    error: texts.tooMany(waitMinutes(refusal.retryAfterSeconds)),
  });
}

async function showSignUp(
  services: AccountServices,
  request: Request,
  response: Response,
  status: number,
  more: Partial<SignUpView>,
): Promise<void> {
  const view: SignUpView = {
    locale: localeOfRequest(request),
    ...(await leadOf(services, request)),
    action: pathWithReturn('/sign-up', request),
    guard: formToken(services, request, response, SIGN_UP),
    signInHref: pathWithReturn('/sign-in', request),
    ...more,
  };
  sendPage(response, status, signUpPage(view));
}

async function handleSignUp(services: AccountServices, request: Request, response: Response): Promise<void> {
  const locale = localeOfRequest(request);
  if (!isOwnForm(services, request, SIGN_UP))
    return sendFormRefused(response, locale, pathWithReturn('/sign-up', request));
  const credentials = {
    email: formText(request, 'email'),
    password: formText(request, 'password'),
    address: request.ip ?? '',
    locale,
    timeZone: timeZoneOf(request),
    returnTo: returnPath(queryText(request, 'return_to')),
  };
  const result = await signUp(services, credentials);
  if (result.kind === 'signed_up') {
    await startAccountSession(services, request, response, result.accountId);
    return sendOn(response, returnPath(queryText(request, 'return_to')));
  }
  if (result.kind === 'throttled') response.set('Retry-After', String(result.retryAfterSeconds));
  await showSignUp(services, request, response, result.kind === 'throttled' ? 429 : 422, {
    email: credentials.email,
    problems: signUpProblems(locale, result),
  });
}

async function handleSignOut(services: AccountServices, request: Request, response: Response): Promise<void> {
  const session = await readAccountSession(services, request);
  const target = returnPath(queryText(request, 'return_to'));
  if (session === undefined) return sendOn(response, target);
  if (!isOwnForm(services, request, signOutBinding(session)))
    return sendFormRefused(response, localeOfRequest(request), target);
  await endAccountSession(services, request, response);
  sendOn(response, target);
}
