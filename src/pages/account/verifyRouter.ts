import express from 'express';
import type { AccountToken } from '../../accounts/accountToken.js';
import { findToken, liveTokenOf } from '../../accounts/accountToken.js';
import type { AccountServices } from '../../accounts/AccountServices.js';
import type { ProveResult } from '../../accounts/proveAddress.js';
import { proveAddress } from '../../accounts/proveAddress.js';
import { requestAddressProof } from '../../accounts/requestAddressProof.js';
import { html } from '../../html/html.js';
import { messagePage } from '../../html/messagePage.js';
import { ownForm } from '../../html/ownForm.js';
import { PageVisit } from '../../html/PageVisit.js';
import { returnPath } from '../../http/returnPath.js';
import { mailboxHint } from '../mailbox/mailboxHint.js';
import { spentPage } from './recoveryPages.js';
import type { SignedInStep as Step, SignedInVisit } from './signedIn.js';
import { signedIn } from './signedIn.js';
import type { VerifyView } from './verifyPage.js';
import { verifyPage } from './verifyPage.js';

const PATH = '/verify-address';

/** Verification of the signed-in account's address. Opening the link changes nothing; only its form does. */
export function verifyRouter(services: AccountServices): express.Router {
  const router = express.Router();
  const form = (step: Step): express.RequestHandler =>
    signedIn(
      services,
      ownForm(verifyBinding, () => PATH, step),
      back,
    );
  router.get(PATH, signedIn(services, show, back));
  router.post(PATH, form(prove));
  router.post(`${PATH}/send`, form(sendAgain));
  router.get(
    `${PATH}/send`,
    PageVisit.leading(services, () => PATH),
  );
  return router;
}

/** The path to return to after the sign-in, with the link's token. */
function back(visit: PageVisit): string {
  const token = visit.parameter('token') ?? visit.field('token');
  return token === '' ? PATH : `${PATH}?token=${token}`;
}

const show: Step = async (visit) => {
  const token = visit.parameter('token');
  if (visit.parameter('sent') !== undefined && !visit.account.emailVerified)
    return sendVerify(visit, 200, { sent: true });
  if (token === undefined) return askForCode(visit, 200);
  const asked = await findProof(visit, token);
  if (asked === undefined) return visit.account.emailVerified ? visit.goTo('/account') : sendSpent(visit);
  if (asked.accountId !== visit.account.accountId) return sendForeign(visit);
  sendVerify(visit, 200, { token, ...emailOf(asked.data) });
};

/** Asks for the code mailed to the wanted address if there is one, else for that of an unverified address. */
async function askForCode(visit: SignedInVisit, status: number, error?: string): Promise<void> {
  const { services, account } = visit;
  const told = error === undefined ? {} : { error };
  const wanted = await liveTokenOf(services.database, services.clock(), 'change_address', account.accountId);
  if (wanted !== undefined)
    return sendVerify(visit, status, { ...told, ...emailOf(wanted.data), isChange: true });
  if (account.emailVerified) return visit.goTo('/account');
  sendVerify(visit, status, told);
}

function emailOf({ email }: Readonly<Record<string, string>>): { email?: string } {
  return email === undefined ? {} : { email };
}

/** What a link proves, and for which account; undefined when the link is used. */
async function findProof({ services }: SignedInVisit, token: string): Promise<AccountToken | undefined> {
  for (const kind of ['verify_address', 'change_address'] as const) {
    const found = await findToken(services.database, services.clock(), kind, token);
    if (found !== undefined) return found;
  }
  return undefined;
}

const prove: Step = async (visit) => {
  const token = visit.field('token');
  const proof = token === '' ? { code: visit.field('code').replaceAll(/\s/g, '') } : { token };
  const result = await proveAddress(visit.services, visit.account, proof);
  if (result.kind === 'proved') return visit.goTo(returnPath(result.returnTo));
  if (token !== '') return sendSpent(visit);
  const error = codeProblem(visit, result);
  await askForCode(visit, result.kind === 'throttled' ? 429 : 422, error);
};

/** The reason why a code was refused. When throttled, it sets `Retry-After`. */
export function codeProblem(visit: PageVisit, result: Exclude<ProveResult, { kind: 'proved' }>): string {
  const { recovery } = visit.texts;
  return result.kind === 'throttled'
    ? recovery.codeTooMany(visit.comeAgainIn(result.retryAfterSeconds))
    : recovery.codeWrong;
}

const sendAgain: Step = async (visit) => {
  const { services, account, locale } = visit;
  if (account.emailVerified) return visit.goTo('/account');
  const { accountId, email } = account;
  const returnTo = returnPath(visit.field('return_to'));
  const wanted = { kind: 'verify_address', accountId, email, locale, returnTo } as const;
  const wait = await requestAddressProof(services, wanted);
  if (wait === 0) return visit.goTo(`${PATH}?sent=1`);
  sendVerify(visit, 429, { error: visit.texts.signIn.tooMany(visit.comeAgainIn(wait)) });
};

/** The binding of forms that verify an account's address or request another mail. */
export function verifyBinding({ account }: SignedInVisit): string {
  return `verify:${account.id}`;
}

function sendVerify(visit: SignedInVisit, status: number, more: Partial<VerifyView>): void {
  const page = verifyPage({
    locale: visit.locale,
    email: visit.account.email,
    account: visit.bar(PATH),
    guard: visit.guard(verifyBinding(visit)),
    mailbox: mailboxHint(visit.services.config, visit.locale),
    ...more,
  });
  visit.show(status, page);
}

/** The link is for another account of the person, or of somebody else. */
function sendForeign(visit: SignedInVisit): void {
  const { recovery } = visit.texts;
  const page = messagePage(visit.locale, recovery.foreignTitle, html`<p>${recovery.foreign}</p>`);
  visit.show(403, { ...page, account: visit.bar(back(visit)) });
}

function sendSpent(visit: SignedInVisit): void {
  visit.show(410, spentPage(visit.locale, { href: PATH, label: visit.texts.recovery.verifyTitle }));
}
