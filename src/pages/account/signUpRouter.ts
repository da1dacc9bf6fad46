import type { Request, Response } from 'express';
import express from 'express';
import { passkeySignUpOptions, signUpWithPasskey } from '../../oauth/signUpWithPasskey.js';
import { startAccountSession } from '../../oauth/accountSession.js';
import type { Newcomer } from '../../oauth/signUp.js';
import { signUp } from '../../oauth/signUp.js';
import { textsFor } from '../../texts/textsFor.js';
import { formText, queryText } from '../../http/formValues.js';
import { localeOfRequest } from '../../http/localeOfRequest.js';
import { formToken, isOwnForm } from '../../html/formGuard.js';
import { sendFormRefused } from '../../html/sendFormRefused.js';
import { sendJson } from '../../html/sendJson.js';
import { sendOn, sendPage } from '../../html/sendPage.js';
import type { SignUpView } from '../../html/signUpPage.js';
import { signUpPage } from '../../html/signUpPage.js';
import type { AccountServices } from '../../accounts/AccountServices.js';
import { connectLead } from './connectLead.js';
import { describeBrowser } from './describeBrowser.js';
import { passkeyChoice } from './passkeyChoice.js';
import { passkeyThrottle } from './passkeyThrottle.js';
import { pathWithReturn } from './pathWithReturn.js';
import { returnPath } from '../../http/returnPath.js';
import { signUpProblems } from './signUpProblems.js';
import { timeZoneOf } from './timeZoneOf.js';

const FORM = 'sign-up';
const PATH = '/sign-up';
const PASSKEY = `${PATH}/passkey`;

/** Creating an account, with a passkey or a password; leads on to the page named in `return_to`. */
export function signUpRouter(services: AccountServices): express.Router {
  const router = express.Router();
  router.get(PATH, (request, response) => show(services, request, response, 200, {}));
  router.post(PATH, ownForm(services, withPassword));
  router.post(`${PASSKEY}/options`, ownForm(services, sendOptions));
  router.post(PASSKEY, ownForm(services, withPasskey));
  return router;
}

type Step = (services: AccountServices, request: Request, response: Response) => Promise<void>;

function ownForm(services: AccountServices, step: Step): express.RequestHandler {
  return async (request, response) => {
    if (isOwnForm(services, request, FORM)) return step(services, request, response);
    sendFormRefused(response, localeOfRequest(request), pathWithReturn(PATH, request));
  };
}

async function show(
  services: AccountServices,
  request: Request,
  response: Response,
  status: number,
  more: Partial<SignUpView>,
): Promise<void> {
  const locale = localeOfRequest(request);
  const { account, signIn, signUp: texts } = textsFor(locale);
  const view: SignUpView = {
    locale,
    ...(await connectLead(services, request)),
    action: pathWithReturn(PATH, request),
    guard: formToken(services, request, response, FORM),
    signInHref: pathWithReturn('/sign-in', request),
    passkey: passkeyChoice({
      label: texts.passkey,
      hint: texts.passkeyHint,
      optionsPath: `${PASSKEY}/options`,
      action: pathWithReturn(PASSKEY, request),
      failed: account.passkeyFailed,
      or: signIn.or,
    }),
    ...more,
  };
  sendPage(response, status, signUpPage(view), { connects: true });
}

const withPassword: Step = async (services, request, response) => {
  const locale = localeOfRequest(request);
  const email = formText(request, 'email');
  const credentials = {
    email,
    password: formText(request, 'password'),
    address: request.ip ?? '',
    ...newcomer(request),
  };
  const result = await signUp(services, credentials);
  if (result.kind === 'signed_up') return goOn(services, request, response, result.accountId);
  if (result.kind === 'throttled') response.set('Retry-After', String(result.retryAfterSeconds));
  const problems = signUpProblems(locale, result);
  await show(services, request, response, result.kind === 'throttled' ? 429 : 422, { email, problems });
};

const sendOptions: Step = async (services, request, response) => {
  const wait = await passkeyThrottle(services, request);
  if (wait > 0) return sendJson(response.set('Retry-After', String(wait)), 429, {});
  const options = await passkeySignUpOptions(services, formText(request, 'email'));
  sendJson(response, options === undefined ? 422 : 200, options ?? {});
};

const withPasskey: Step = async (services, request, response) => {
  const locale = localeOfRequest(request);
  const { account } = textsFor(locale);
  const result = await signUpWithPasskey(services, {
    answer: formText(request, 'credential'),
    label: describeBrowser(account, request.get('user-agent') ?? null),
    address: request.ip ?? '',
    ...newcomer(request),
  });
  if (result.kind === 'signed_up') return goOn(services, request, response, result.accountId);
  if (result.kind === 'throttled') response.set('Retry-After', String(result.retryAfterSeconds));
  const problems =
    result.kind === 'throttled' ? signUpProblems(locale, result) : { form: account.passkeyFailed };
  const status = result.kind === 'throttled' ? 429 : 422;
  await show(services, request, response, status, { email: formText(request, 'email'), problems });
};

function newcomer(request: Request): Newcomer {
  return {
    locale: localeOfRequest(request),
    timeZone: timeZoneOf(request),
    returnTo: returnPath(queryText(request, 'return_to')),
  };
}

async function goOn(
  services: AccountServices,
  request: Request,
  response: Response,
  accountId: string,
): Promise<void> {
  await startAccountSession(services, request, response, accountId);
  sendOn(response, returnPath(queryText(request, 'return_to')));
}
