import type { Request, Response } from 'express';
import express from 'express';
import { passkeySignInOptions, signInWithPasskey } from '../../accounts/passkeys.js';
import { connectLead } from './connectLead.js';
import { passkeyForm } from '../../html/passkeyForm.js';
import { passkeyThrottle } from './passkeyThrottle.js';
import { pathWithReturn } from './pathWithReturn.js';
import { endAccountSession, readAccountSession, startAccountSession } from '../../oauth/accountSession.js';
import { deviceMark } from '../../oauth/knownDevice.js';
import type { SignInResult } from '../../oauth/signIn.js';
import { signIn } from '../../oauth/signIn.js';
import { SIGN_IN_FORM, upstreamAction, upstreamTargets } from '../../oauth/upstreamRouter.js';
import { formText, queryText } from '../../http/formValues.js';
import { localeOfRequest } from '../../http/localeOfRequest.js';
import { formToken, isOwnForm } from '../../html/formGuard.js';
import { sendFormRefused } from '../../html/sendFormRefused.js';
import { sendJson } from '../../html/sendJson.js';
import { sendOn, sendPage } from '../../html/sendPage.js';
import type { SignInView } from '../../html/signInPage.js';
import { signInPage } from '../../html/signInPage.js';
import type { AccountServices } from '../../accounts/AccountServices.js';
import { textsFor } from '../../texts/textsFor.js';
import { signOutBinding } from './accountBar.js';
import { returnPath } from '../../http/returnPath.js';
import { waitMinutes } from '../../html/waitMinutes.js';

/**
 * Signing in and signing out; each leads back to the page named in `return_to`, if it is ours.
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
  router.post('/sign-out', (request, response) => handleSignOut(services, request, response));
  return router;
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
    ...(await connectLead(services, request)),
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
  const wait = await passkeyThrottle(services, request);
  if (wait > 0) return sendJson(response.set('Retry-After', String(wait)), 429, {});
  sendJson(response, 200, await passkeySignInOptions(services));
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

async function handleSignOut(services: AccountServices, request: Request, response: Response): Promise<void> {
  const session = await readAccountSession(services, request);
  const target = returnPath(queryText(request, 'return_to'));
  if (session === undefined) return sendOn(response, target);
  if (!isOwnForm(services, request, signOutBinding(session)))
    return sendFormRefused(response, localeOfRequest(request), target);
  await endAccountSession(services, request, response);
  sendOn(response, target);
}
