import type { Request, Response } from 'express';
import express from 'express';
import { findToken } from '../../accounts/accountToken.js';
import { requestPasswordReset } from '../../accounts/requestPasswordReset.js';
import { resetPassword } from '../../accounts/resetPassword.js';
import { startAccountSession } from '../../oauth/accountSession.js';
import { textsFor } from '../../texts/textsFor.js';
import { formText, queryText } from '../../http/formValues.js';
import { localeOfRequest } from '../../http/localeOfRequest.js';
import { mailboxHint } from '../mailbox/mailboxHint.js';
import { formToken, isOwnForm } from '../../html/formGuard.js';
import { forgotPage, forgotSentPage, resetPage, spentPage } from '../../html/recoveryPages.js';
import { sendFormRefused } from '../../html/sendFormRefused.js';
import { sendOn, sendPage } from '../../html/sendPage.js';
import type { AccountServices } from '../../accounts/AccountServices.js';
import { returnPath } from '../../http/returnPath.js';
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
  return router;
}

function pathTo(path: string, request: Request): string {
  return `${path}?return_to=${encodeURIComponent(returnPath(queryText(request, 'return_to')))}`;
}

function showForgot(services: AccountServices, request: Request, response: Response, error?: string): void {
  const view = {
    locale: localeOfRequest(request),
    action: pathTo('/forgot-password', request),
    guard: formToken(services, request, response, FORGOT),
    signInHref: pathTo('/sign-in', request),
    ...(error === undefined ? {} : { error }),
  };
  sendPage(response, error === undefined ? 200 : 429, forgotPage(view));
}

async function handleForgot(services: AccountServices, request: Request, response: Response): Promise<void> {
  const locale = localeOfRequest(request);
  if (!isOwnForm(services, request, FORGOT))
    return sendFormRefused(response, locale, pathTo('/forgot-password', request));
  const email = formText(request, 'email').trim().slice(0, 254);
  const wait = await requestPasswordReset(services, { email, address: request.ip ?? '', locale });
  if (wait > 0) {
    response.set('Retry-After', String(wait));
    return showForgot(services, request, response, textsFor(locale).signIn.tooMany(waitMinutes(wait)));
  }
  const hint = mailboxHint(services.config, locale);
  sendPage(response, 200, forgotSentPage(locale, email, pathTo('/sign-in', request), hint));
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
  const page = resetPage({ locale: localeOfRequest(request), action: '/reset-password', guard, ...view });
  sendPage(response, view.error === undefined ? 200 : 422, page);
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

function sendSpent(request: Request, response: Response): void {
  const locale = localeOfRequest(request);
  const again = { href: '/forgot-password', label: textsFor(locale).recovery.forgotTitle };
  sendPage(response, 410, spentPage(locale, again));
}
