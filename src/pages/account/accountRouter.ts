import express from 'express';
import type { AccountServices } from '../../accounts/AccountServices.js';
import { passkeySignInOptions, signInWithPasskey } from '../../accounts/passkeys.js';
import { addressBlock } from '../../domain/addressBlock.js';
import { ownForm } from '../../html/ownForm.js';
import type { PageStep } from '../../html/PageVisit.js';
import { PageVisit } from '../../html/PageVisit.js';
import type { SignInView } from '../../html/signInPage.js';
import { signInPage } from '../../html/signInPage.js';
import { endAccountSession, readAccountSession, startAccountSession } from '../../oauth/accountSession.js';
import { deviceMark, knownBrowser } from '../../oauth/knownDevice.js';
import { signIn } from '../../oauth/signIn.js';
import { SIGN_IN_FORM, upstreamAction } from '../../oauth/upstreamRouter.js';
import { connectLead } from './connectLead.js';
import { PASSKEY_RULES, sendPasskeyOptions } from './sendPasskeyOptions.js';
import { signOutBinding } from './signedIn.js';
import { needsSignInAgain, saysNotMade } from './signInAgain.js';

/** Sign-in and sign-out. Each leads back to the page in `return_to`, if it is one of this service. */
export function accountRouter(services: AccountServices): express.Router {
  const router = express.Router();
  // Withdrawals need a sign-in, so it uses the reserved connections: a busy database must not delay either.
  const urgent = { ...services, database: services.database.urgent };
  const at = (step: PageStep): express.RequestHandler => PageVisit.at(urgent, step);
  const back = (visit: PageVisit): string => visit.withReturn('/sign-in');
  const form = (step: PageStep): express.RequestHandler => at(ownForm(() => SIGN_IN_FORM, back, step));
  router.get(
    '/sign-in',
    at((visit) => showSignIn(visit, 200, {})),
  );
  router.post('/sign-in', form(handleSignIn));
  router.post('/sign-in/passkey/options', form(sendOptions));
  router.post('/sign-in/passkey', form(handlePasskey));
  router.post('/sign-out', PageVisit.at(services, handleSignOut));
  router.get('/sign-in/passkey', PageVisit.leading(services, back));
  router.get(
    '/sign-out',
    PageVisit.leading(services, (visit) => visit.returnTo),
  );
  return router;
}

async function showSignIn(visit: PageVisit, status: number, more: Partial<SignInView>): Promise<void> {
  const { upstream } = visit.services.config;
  const action = upstreamAction(visit.returnTo, needsSignInAgain(visit.returnTo));
  const view: SignInView = {
    locale: visit.locale,
    ...(saysNotMade(visit.returnTo) ? { lead: visit.texts.account.freshLead } : await connectLead(visit)),
    action: visit.withReturn('/sign-in'),
    guard: visit.guard(SIGN_IN_FORM),
    returnTo: visit.returnTo,
    signUpHref: visit.withReturn('/sign-up'),
    forgotHref: visit.withReturn('/forgot-password'),
    upstream: upstream && { label: upstream.label, action },
    ...more,
  };
  // To the upstream provider, or back to an authorization request and on to its partner.
  visit.show(status, signInPage(view), { leadsAway: true, connects: true });
}

const handleSignIn: PageStep = async (visit) => {
  const { services, request, response, address } = visit;
  const email = visit.field('email');
  const device = deviceMark(services, request);
  const result = await signIn(services, { email, password: visit.field('password'), address, device });
  if (result.kind === 'signed_in') {
    const session = await startAccountSession(services, request, response, result.accountId, result);
    if (session !== undefined) return visit.goTo(visit.returnTo);
  }
  const texts = visit.texts.signIn;
  if (result.kind !== 'throttled') return showSignIn(visit, 401, { email, error: texts.failed });
  const error = texts.tooMany(visit.comeAgainIn(result.retryAfterSeconds));
  await showSignIn(visit, 429, { email, error });
};

const sendOptions: PageStep = (visit) => {
  const { services, request, address } = visit;
  const browser = knownBrowser(services, request);
  const own = browser === undefined ? [] : [{ rule: PASSKEY_RULES.device, subject: browser }];
  const budgets = [...own, { rule: PASSKEY_RULES.signIn, subject: addressBlock(address) }];
  return sendPasskeyOptions(visit, budgets, () => passkeySignInOptions(services));
};

const handlePasskey: PageStep = async (visit) => {
  const { services, request, response } = visit;
  const checked = await signInWithPasskey(services, visit.field('credential'));
  const session =
    checked && (await startAccountSession(services, request, response, checked.accountId, checked));
  if (session === undefined) return showSignIn(visit, 401, { error: visit.texts.account.passkeyRefused });
  visit.goTo(visit.returnTo);
};

async function handleSignOut(visit: PageVisit): Promise<void> {
  const { services, request, response, returnTo } = visit;
  const session = await readAccountSession(services, request);
  if (session === undefined) return visit.goTo(returnTo);
  if (!visit.isOwnForm(signOutBinding(session))) return visit.refuseForm(returnTo);
  await endAccountSession(services, request, response);
  visit.goTo(returnTo);
}
