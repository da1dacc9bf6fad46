import type { Request, Response } from 'express';
import express from 'express';
import { findToken } from '../../accounts/accountToken.js';
import type { ProveResult } from '../../accounts/proveAddress.js';
import { proveAddress } from '../../accounts/proveAddress.js';
import { requestAddressProof } from '../../accounts/requestAddressProof.js';
import type { AccountSession } from '../../accounts/AccountSession.js';
import { textsFor } from '../../texts/textsFor.js';
import { formText, queryText } from '../../http/formValues.js';
import { localeOfRequest } from '../../http/localeOfRequest.js';
import { mailboxHint } from '../mailbox/mailboxHint.js';
import { formToken, isOwnForm } from '../../html/formGuard.js';
import { sendFormRefused } from '../../html/sendFormRefused.js';
import { spentPage } from '../../html/recoveryPages.js';
import { sendOn, sendPage } from '../../html/sendPage.js';
import type { VerifyView } from '../../html/verifyPage.js';
import { verifyPage } from '../../html/verifyPage.js';
import type { AccountServices } from '../../accounts/AccountServices.js';
import { accountBar } from './accountBar.js';
import type { SignedInStep as Step } from './signedIn.js';
import { signedIn } from './signedIn.js';
import { returnPath } from '../../http/returnPath.js';
import { waitMinutes } from '../../html/waitMinutes.js';

const PATH = '/verify-address';

/**
 * Proving the address of the account one is signed in to. Opening the link changes nothing; only its form
 * does.
 */
export function verifyRouter(services: AccountServices): express.Router {
  const router = express.Router();
  router.get(PATH, signedIn(services, show, back));
  router.post(PATH, signedIn(services, prove, back));
  router.post(`${PATH}/send`, signedIn(services, sendAgain, back));
  return router;
}

/** With the link's token, which is used after signing in. */
function back(request: Request): string {
  const token = queryText(request, 'token') ?? formText(request, 'token');
  return token === '' ? PATH : `${PATH}?token=${token}`;
}

const show: Step = async (services, request, response, account) => {
  const token = queryText(request, 'token');
  if (token === undefined) {
    if (account.emailVerified) return sendOn(response, '/account');
    return sendVerify(services, request, response, account, 200, {});
  }
  const asked = await tokenOf(services, account, token);
  if (asked === undefined)
    return account.emailVerified ? sendOn(response, '/account') : sendSpent(request, response);
  sendVerify(services, request, response, account, 200, { token, email: asked });
};

/**
 * The address that a link of this account proves; undefined for a link that is spent, or another account's.
 */
async function tokenOf(
  services: AccountServices,
  account: AccountSession,
  token: string,
): Promise<string | undefined> {
  for (const kind of ['verify_address', 'change_address'] as const) {
    const found = await findToken(services.database, services.clock(), kind, token);
    if (found !== undefined && found.accountId === account.accountId) return found.data['email'];
  }
  return undefined;
}

const prove: Step = async (services, request, response, account) => {
  const locale = localeOfRequest(request);
  if (!isOwnForm(services, request, bindingOf(account))) return sendFormRefused(response, locale, PATH);
  const token = formText(request, 'token');
  const proof = token === '' ? { code: formText(request, 'code').replaceAll(/\s/g, '') } : { token };
  const result = await proveAddress(services, account.accountId, proof);
  if (result.kind === 'proved') return sendOn(response, returnPath(result.returnTo));
  if (token !== '') return sendSpent(request, response);
  if (result.kind === 'throttled') response.set('Retry-After', String(result.retryAfterSeconds));
  const status = result.kind === 'throttled' ? 429 : 422;
  sendVerify(services, request, response, account, status, { error: codeProblem(locale, result) });
};

/** Why a code did not prove an address. */
export function codeProblem(
  locale: ReturnType<typeof localeOfRequest>,
  result: Exclude<ProveResult, { kind: 'proved' }>,
): string {
  const { recovery } = textsFor(locale);
  return result.kind === 'throttled'
    ? recovery.codeTooMany(waitMinutes(result.retryAfterSeconds))
    : recovery.codeWrong;
}

const sendAgain: Step = async (services, request, response, account) => {
  const locale = localeOfRequest(request);
  if (!isOwnForm(services, request, bindingOf(account))) return sendFormRefused(response, locale, PATH);
  if (account.emailVerified) return sendOn(response, '/account');
  const { accountId, email } = account;
  const returnTo = returnPath(formText(request, 'return_to'));
  const wait = await requestAddressProof(services, {
    kind: 'verify_address',
    accountId,
    email,
    locale,
    returnTo,
  });
  if (wait === 0) return sendVerify(services, request, response, account, 200, { sent: true });
  response.set('Retry-After', String(wait));
  const error = textsFor(locale).signIn.tooMany(waitMinutes(wait));
  sendVerify(services, request, response, account, 429, { error });
};

function bindingOf(account: AccountSession): string {
  return `verify:${account.id}`;
}

/** The guard of forms that prove the address of an account or ask for another mail. */
export function verifyGuard(
  services: AccountServices,
  request: Request,
  response: Response,
  account: AccountSession,
): ReturnType<typeof formToken> {
  return formToken(services, request, response, bindingOf(account));
}

function sendVerify(
  services: AccountServices,
  request: Request,
  response: Response,
  account: AccountSession,
  status: number,
  more: Partial<VerifyView>,
): void {
  const locale = localeOfRequest(request);
  const page = verifyPage({
    locale,
    email: account.email,
    account: accountBar(services, request, response, locale, account, PATH),
    guard: formToken(services, request, response, bindingOf(account)),
    mailbox: mailboxHint(services.config, locale),
    ...more,
  });
  sendPage(response, status, page);
}

function sendSpent(request: Request, response: Response): void {
  const locale = localeOfRequest(request);
  sendPage(response, 410, spentPage(locale, { href: PATH, label: textsFor(locale).recovery.verifyTitle }));
}
