import type { Request, Response } from 'express';
import express from 'express';
import { findToken } from '../../accounts/accountToken.js';
import { requestPasswordReset } from '../../accounts/requestPasswordReset.js';
import { passkeyResetOptions, resetPassword, resetToPasskey } from '../../accounts/resetPassword.js';
import { startAccountSession } from '../../oauth/accountSession.js';
import { textsFor } from '../../texts/textsFor.js';
import { formText, queryText } from '../../http/formValues.js';
import { localeOfRequest } from '../../http/localeOfRequest.js';
import { mailboxHint } from '../mailbox/mailboxHint.js';
import { formToken, isOwnForm } from '../../html/formGuard.js';
import { forgotPage, forgotSentPage, resetPage, spentPage } from '../../html/recoveryPages.js';
import { sendFormRefused } from '../../html/sendFormRefused.js';
import { sendJson } from '../../html/sendJson.js';
import { sendOn, sendPage } from '../../html/sendPage.js';
import type { AccountServices } from '../../accounts/AccountServices.js';
import { describeBrowser } from './describeBrowser.js';
import { passkeyChoice } from './passkeyChoice.js';
import { pathWithReturn } from './pathWithReturn.js';
import { passwordProblemText } from './signUpProblems.js';
import { waitMinutes } from '../../html/waitMinutes.js';

const FORGOT = 'forgot-password';
const RESET = 'reset-password';

/** Getting back in with a mailed link. Opening the link changes nothing; only its form does. */
export function recoveryRouter(services: AccountServices): express.Router {
  const router = express.Router();
  router.get('/forgot-password', (request, response) => showForgot(services, request, response));
  router.post('/forgot-password', (request, response) => handleForgot(services, request, response));
  router.get('/reset-password', (request, response) => showReset(services, request, response));
  router.post('/reset-password', (request, response) => handleReset(services, request, response));
  router.post('/reset-password/passkey/options', (request, response) =>
    sendResetOptions(services, request, response),
  );
  router.post('/reset-password/passkey', (request, response) =>
    handlePasskeyReset(services, request, response),
  );
  return router;
}

function showForgot(services: AccountServices, request: Request, response: Response, error?: string): void {
  const view = {
    locale: localeOfRequest(request),
    action: pathWithReturn('/forgot-password', request),
    guard: formToken(services, request, response, FORGOT),
    signInHref: pathWithReturn('/sign-in', request),
    ...(error === undefined ? {} : { error }),
  };
  sendPage(response, error === undefined ? 200 : 429, forgotPage(view));
}

async function handleForgot(services: AccountServices, request: Request, response: Response): Promise<void> {
  const locale = localeOfRequest(request);
  if (!isOwnForm(services, request, FORGOT))
    return sendFormRefused(response, locale, pathWithReturn('/forgot-password', request));
  const email = formText(request, 'email').trim().slice(0, 254);
  const wait = await requestPasswordReset(services, { email, address: request.ip ?? '', locale });
  if (wait > 0) {
    response.set('Retry-After', String(wait));
    return showForgot(services, request, response, textsFor(locale).signIn.tooMany(waitMinutes(wait)));
  }
  const hint = mailboxHint(services.config, locale);
  sendPage(response, 200, forgotSentPage(locale, email, pathWithReturn('/sign-in', request), hint));
}

async function showReset(services: AccountServices, request: Request, response: Response): Promise<void> {
  const token = queryText(request, 'token') ?? '';
  const asked = await findToken(services.database, services.clock(), 'reset_password', token);
  if (asked === undefined) return sendSpent(request, response);
  sendReset(services, request, response, { token, email: asked.data['email'] ?? '' });
}

function sendReset(
  services: AccountServices,
  request: Request,
  response: Response,
  view: { token: string; email: string; error?: string },
): void {
  const guard = formToken(services, request, response, RESET);
  const locale = localeOfRequest(request);
  const { account, recovery, signIn, signUp } = textsFor(locale);
  const passkey = passkeyChoice({
    label: recovery.resetPasskey,
    hint: signUp.passkeyHint,
    optionsPath: '/reset-password/passkey/options',
    action: '/reset-password/passkey',
    failed: account.passkeyFailed,
    or: signIn.or,
  });
  const page = resetPage({ locale, action: '/reset-password', guard, passkey, ...view });
  sendPage(response, view.error === undefined ? 200 : 422, page, { connects: true });
}

async function handleReset(services: AccountServices, request: Request, response: Response): Promise<void> {
  const locale = localeOfRequest(request);
  const token = formText(request, 'token');
  if (!isOwnForm(services, request, RESET))
    return sendFormRefused(response, locale, `/reset-password?token=${encodeURIComponent(token)}`);
  const result = await resetPassword(services, token, formText(request, 'password'));
  if (result.kind === 'spent') return sendSpent(request, response);
  if (result.kind === 'invalid') {
    const error = passwordProblemText(locale, result.problem);
    return sendReset(services, request, response, { token, email: formText(request, 'email'), error });
  }
  await startAccountSession(services, request, response, result.accountId);
  sendOn(response, '/connections');
}

async function sendResetOptions(
  services: AccountServices,
  request: Request,
  response: Response,
): Promise<void> {
  if (!isOwnForm(services, request, RESET))
    return sendFormRefused(response, localeOfRequest(request), '/forgot-password');
  const options = await passkeyResetOptions(services, formText(request, 'token'));
  sendJson(response, options === undefined ? 410 : 200, options ?? {});
}

async function handlePasskeyReset(
  services: AccountServices,
  request: Request,
  response: Response,
): Promise<void> {
  const locale = localeOfRequest(request);
  const [token, email] = [formText(request, 'token'), formText(request, 'email')];
  if (!isOwnForm(services, request, RESET))
    return sendFormRefused(response, locale, `/reset-password?token=${encodeURIComponent(token)}`);
  const { account } = textsFor(locale);
  const label = describeBrowser(account, request.get('user-agent') ?? null);
  const result = await resetToPasskey(services, token, formText(request, 'credential'), label);
  if (result.kind === 'spent') return sendSpent(request, response);
  if (result.kind === 'refused')
    return sendReset(services, request, response, { token, email, error: account.passkeyFailed });
  await startAccountSession(services, request, response, result.accountId);
  sendOn(response, '/connections');
}

function sendSpent(request: Request, response: Response): void {
  const locale = localeOfRequest(request);
  const again = { href: '/forgot-password', label: textsFor(locale).recovery.forgotTitle };
  sendPage(response, 410, spentPage(locale, again));
}
