import express from 'express';
import { findToken } from '../../accounts/accountToken.js';
import type { AccountServices } from '../../accounts/AccountServices.js';
import { requestPasswordReset } from '../../accounts/requestPasswordReset.js';
import { passkeyResetOptions, resetPassword, resetToPasskey } from '../../accounts/resetPassword.js';
import { ownForm } from '../../html/ownForm.js';
import type { PageStep } from '../../html/PageVisit.js';
import { PageVisit } from '../../html/PageVisit.js';
import { SealedCookie } from '../../http/SealedCookie.js';
import { startAccountSession } from '../../oauth/accountSession.js';
import { mailboxHint } from '../mailbox/mailboxHint.js';
import { describeBrowser } from './describeBrowser.js';
import { passkeyChoice } from './passkeyChoice.js';
import { forgotPage, forgotSentPage, resetPage, spentPage } from './recoveryPages.js';
import { passwordProblemText } from './signUpProblems.js';

const FORGOT = 'forgot-password';
const RESET = 'reset-password';
const SENT = '/forgot-password/sent';

/** Holds the e-mail address for the page that says that a mail was sent. */
const sentTo = new SealedCookie<string>('forgot_password', { path: SENT, maxAgeSeconds: 600 });

/** Account recovery with a mailed link. Opening the link changes nothing; only its form does. */
export function recoveryRouter(services: AccountServices): express.Router {
  const router = express.Router();
  const at = (step: PageStep): express.RequestHandler => PageVisit.at(services, step);
  const forgot = (visit: PageVisit): string => visit.withReturn('/forgot-password');
  const form = (back: (visit: PageVisit) => string, step: PageStep): express.RequestHandler =>
    at(ownForm(() => RESET, back, step));
  router.get(
    '/forgot-password',
    at((visit) => showForgot(visit)),
  );
  router.post('/forgot-password', at(ownForm(() => FORGOT, forgot, handleForgot)));
  router.get(SENT, at(showSent));
  router.get('/reset-password', at(showReset));
  router.post('/reset-password', form(linkOf, handleReset));
  router.get(
    '/reset-password/passkey',
    PageVisit.leading(services, (visit) => linkWith(visit.parameter('token'))),
  );
  router.post(
    '/reset-password/passkey/options',
    form(() => '/forgot-password', sendResetOptions),
  );
  router.post('/reset-password/passkey', form(linkOf, handlePasskeyReset));
  return router;
}

function linkOf(visit: PageVisit): string {
  return linkWith(visit.field('token'));
}

function linkWith(token = ''): string {
  return withToken('/reset-password', token);
}

function withToken(path: string, token: string): string {
  return `${path}?token=${encodeURIComponent(token)}`;
}

function showForgot(visit: PageVisit, error?: string): void {
  const view = {
    locale: visit.locale,
    action: visit.withReturn('/forgot-password'),
    guard: visit.guard(FORGOT),
    signInHref: visit.withReturn('/sign-in'),
    ...(error === undefined ? {} : { error }),
  };
  visit.show(error === undefined ? 200 : 429, forgotPage(view));
}

const handleForgot: PageStep = async (visit) => {
  const { services, locale, address, texts } = visit;
  const email = visit.field('email').trim().slice(0, 254);
  const wait = await requestPasswordReset(services, { email, address, locale });
  if (wait > 0) return showForgot(visit, texts.signIn.tooMany(visit.comeAgainIn(wait)));
  sentTo.set(services, visit.response, email);
  visit.goTo(visit.withReturn(SENT));
};

const showSent: PageStep = (visit) => {
  const { services, locale } = visit;
  const email = sentTo.read(services, visit.request);
  if (email === undefined) return visit.goTo(visit.withReturn('/forgot-password'));
  const hint = mailboxHint(services.config, locale);
  visit.show(200, forgotSentPage(locale, email, visit.withReturn('/sign-in'), hint));
};

const showReset: PageStep = async (visit) => {
  const { database, clock } = visit.services;
  const token = visit.parameter('token') ?? '';
  if (token === '') return visit.goTo('/forgot-password');
  const asked = await findToken(database, clock(), 'reset_password', token);
  if (asked === undefined) return sendSpent(visit);
  sendReset(visit, { token, email: asked.data['email'] ?? '' });
};

function sendReset(visit: PageVisit, view: { token: string; email: string; error?: string }): void {
  const { account, recovery, signIn, signUp } = visit.texts;
  const passkey = passkeyChoice({
    label: recovery.resetPasskey,
    hint: signUp.passkeyHint,
    optionsPath: '/reset-password/passkey/options',
    action: withToken('/reset-password/passkey', view.token),
    failed: account.passkeyFailed,
    or: signIn.or,
  });
  const form = { locale: visit.locale, action: linkWith(view.token), guard: visit.guard(RESET) };
  const page = resetPage({ ...form, passkey, ...view });
  visit.show(view.error === undefined ? 200 : 422, page, { connects: true });
}

const handleReset: PageStep = async (visit) => {
  const token = visit.field('token');
  const result = await resetPassword(visit.services, token, visit.field('password'), visit.locale);
  if (result.kind === 'spent') return sendSpent(visit);
  if (result.kind === 'reset') return goOn(visit, result.accountId);
  const error = passwordProblemText(visit.locale, result.problem);
  sendReset(visit, { token, email: visit.field('email'), error });
};

const sendResetOptions: PageStep = async (visit) => {
  const options = await passkeyResetOptions(visit.services, visit.field('token'));
  visit.sendJson(options === undefined ? 410 : 200, options ?? {});
};

const handlePasskeyReset: PageStep = async (visit) => {
  const { account } = visit.texts;
  const token = visit.field('token');
  const label = describeBrowser(account, visit.request.get('user-agent') ?? null);
  const result = await resetToPasskey(visit.services, token, visit.field('credential'), label, visit.locale);
  if (result.kind === 'spent') return sendSpent(visit);
  if (result.kind === 'reset') return goOn(visit, result.accountId);
  sendReset(visit, { token, email: visit.field('email'), error: account.passkeyFailed });
};

async function goOn(visit: PageVisit, accountId: string): Promise<void> {
  await startAccountSession(visit.services, visit.request, visit.response, accountId);
  visit.goTo('/connections');
}

function sendSpent(visit: PageVisit): void {
  const again = { href: '/forgot-password', label: visit.texts.recovery.forgotTitle };
  visit.show(410, spentPage(visit.locale, again));
}
