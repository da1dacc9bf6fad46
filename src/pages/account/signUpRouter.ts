import express from 'express';
import type { AccountServices } from '../../accounts/AccountServices.js';
import { addressBlock } from '../../domain/addressBlock.js';
import { ownForm } from '../../html/ownForm.js';
import type { PageStep } from '../../html/PageVisit.js';
import { PageVisit } from '../../html/PageVisit.js';
import type { Newcomer } from '../../accounts/signUp.js';
import { signUp } from '../../accounts/signUp.js';
import { passkeySignUpOptions, signUpWithPasskey } from '../../accounts/signUpWithPasskey.js';
import { connectLead } from './connectLead.js';
import { describeBrowser } from './describeBrowser.js';
import { passkeyChoice } from './passkeyChoice.js';
import { PASSKEY_RULES, sendPasskeyOptions } from './sendPasskeyOptions.js';
import { goOn } from './signedIn.js';
import type { SignUpView } from './signUpPage.js';
import { signUpPage } from './signUpPage.js';
import { signUpProblems } from './signUpProblems.js';
import { timeZoneOf } from '../../http/timeZoneOf.js';

const FORM = 'sign-up';
const PATH = '/sign-up';
const PASSKEY = `${PATH}/passkey`;

/** Creation of an account with a passkey or a password. It leads on to the page in `return_to`. */
export function signUpRouter(services: AccountServices): express.Router {
  const router = express.Router();
  const at = (step: PageStep): express.RequestHandler => PageVisit.at(services, step);
  const back = (visit: PageVisit): string => visit.withReturn(PATH);
  const form = (step: PageStep): express.RequestHandler => at(ownForm(() => FORM, back, step));
  router.get(
    PATH,
    at((visit) => show(visit, 200, {})),
  );
  router.post(PATH, form(withPassword));
  router.post(`${PASSKEY}/options`, form(sendOptions));
  router.post(PASSKEY, form(withPasskey));
  router.get(PASSKEY, PageVisit.leading(services, back));
  return router;
}

async function show(visit: PageVisit, status: number, more: Partial<SignUpView>): Promise<void> {
  const { account, signIn, signUp: texts } = visit.texts;
  const view: SignUpView = {
    locale: visit.locale,
    ...(await connectLead(visit)),
    action: visit.withReturn(PATH),
    guard: visit.guard(FORM),
    signInHref: visit.withReturn('/sign-in'),
    passkey: passkeyChoice({
      label: texts.passkey,
      hint: texts.passkeyHint,
      optionsPath: `${PASSKEY}/options`,
      action: visit.withReturn(PASSKEY),
      failed: account.passkeyFailed,
      or: signIn.or,
    }),
    ...more,
  };
  visit.show(status, signUpPage(view), { connects: true });
}

const withPassword: PageStep = async (visit) => {
  const { services, address } = visit;
  const email = visit.field('email');
  const password = visit.field('password');
  const result = await signUp(services, { email, password, address, ...newcomer(visit) });
  if (result.kind === 'signed_up') return goOn(visit, result.accountId);
  const status = result.kind === 'throttled' ? 429 : 422;
  await show(visit, status, { email, problems: signUpProblems(visit, result) });
};

const sendOptions: PageStep = (visit) =>
  sendPasskeyOptions(visit, [{ rule: PASSKEY_RULES.signUp, subject: addressBlock(visit.address) }], () =>
    passkeySignUpOptions(visit.services, visit.field('email')),
  );

const withPasskey: PageStep = async (visit) => {
  const { services, address } = visit;
  const { account } = visit.texts;
  const answer = visit.field('credential');
  const label = describeBrowser(account, visit.request.get('user-agent') ?? null);
  const result = await signUpWithPasskey(services, { answer, label, address, ...newcomer(visit) });
  if (result.kind === 'signed_up') return goOn(visit, result.accountId);
  const isThrottled = result.kind === 'throttled';
  const problems = isThrottled ? signUpProblems(visit, result) : { form: account.passkeyFailed };
  await show(visit, isThrottled ? 429 : 422, { email: visit.field('email'), problems });
};

function newcomer({ locale, request, returnTo }: PageVisit): Newcomer {
  return { locale, timeZone: timeZoneOf(request), returnTo };
}
