import { decideConnection } from '../../commands/decideConnection.js';
import type { StoredSession } from '../../domain/connectionSession.js';
import type { Purpose } from '../../domain/purposes.js';
import { isPurpose } from '../../domain/purposes.js';
import type { AccountSession } from '../../accounts/AccountSession.js';
import { readAccountSession } from '../../oauth/accountSession.js';
import { proveAddress } from '../../accounts/proveAddress.js';
import { textsFor } from '../../texts/textsFor.js';
import { codeProblem, verifyGuard } from '../account/verifyRouter.js';
import { mailboxHint } from '../mailbox/mailboxHint.js';
import { timeZoneOf } from '../account/timeZoneOf.js';
import { accountBar } from '../account/accountBar.js';
import { formText, formTexts } from '../../http/formValues.js';
import { localeOfRequest } from '../../http/localeOfRequest.js';
import { formToken, isOwnForm } from '../../html/formGuard.js';
import { sendFormRefused } from '../../html/sendFormRefused.js';
import { sendOn, sendPage } from '../../html/sendPage.js';
import type { AccountServices } from '../../accounts/AccountServices.js';
import type { ConnectStep, SessionRequest } from './ConnectStep.js';
import type { ConnectVisit } from './ConnectVisit.js';
import type { DecideView } from './decidePage.js';
import { decidePage } from './decidePage.js';
import { returnAddress } from './returnAddress.js';
import type { Response } from 'express';
import { sendEnded } from './refusals.js';

/** The session's page in its own browser: sign in first, then decide; afterwards, what became of it. */
export const showDecision: ConnectStep = async (services, request, response, visit) => {
  if (visit.session.status !== 'created') return sendEnded(request, response, visit);
  const account = await readAccountSession(services, request);
  if (account === undefined) return sendToSignIn(response, visit);
  sendDecision(services, request, response, visit, account, {});
};

/**
 * Takes the decision and leads on: to the partner, or to the page that tells what became of the session
 * meanwhile.
 */
export const decide: ConnectStep = async (services, request, response, visit) => {
  const account = await readAccountSession(services, request);
  if (account === undefined) return sendToSignIn(response, visit);
  if (!isOwnForm(services, request, bindingOf(visit, account))) {
    return sendFormRefused(response, localeOfRequest(request), visit.path);
  }
  const purposes = decidedPurposes(request, visit);
  if (purposes === undefined)
    return sendDecision(services, request, response, visit, account, { nothingTicked: true });
  if (purposes.length > 0 && !account.emailVerified) {
    const problem = await addressProblem(services, request, account);
    if (problem !== undefined)
      return sendDecision(services, request, response, visit, account, { ...problem, ticked: purposes });
  }
  const input = { sessionId: visit.session.session_id, accountId: account.accountId, purposes };
  const context = { appId: visit.link.appId, clock: services.clock, secrets: services.secrets };
  const session = await services.database.transaction(context.appId, (tx) =>
    decideConnection(tx, context, input),
  );
  sendOn(response, session === undefined ? visit.path : afterDecision(session, visit.path), visit.policy);
};

/** The host to which the person goes back, with its port where that is not the usual one. */
function returnHostOf({ session }: ConnectVisit): Pick<DecideView, 'returnHost'> {
  const url = session.redirect_uri === null ? undefined : new URL(session.redirect_uri);
  return url?.protocol.startsWith('http') === true ? { returnHost: url.host } : {};
}

/** Why a decision was not taken, for the page to say so. */
interface Trouble {
  nothingTicked?: boolean;
  ticked?: readonly Purpose[];
  codeError?: string;
  codeStatus?: number;
  retryAfterSeconds?: number;
}

/** Takes the code that proves the person's address along with the approval; undefined when it does. */
async function addressProblem(
  services: AccountServices,
  request: SessionRequest,
  account: AccountSession,
): Promise<Trouble | undefined> {
  const locale = localeOfRequest(request);
  const code = formText(request, 'code').replaceAll(/\s/g, '');
  if (code === '') return { codeError: textsFor(locale).recovery.codeMissing, codeStatus: 403 };
  const result = await proveAddress(services, account.accountId, { code });
  if (result.kind === 'proved') return undefined;
  const codeError = codeProblem(locale, result);
  if (result.kind === 'refused') return { codeError, codeStatus: 403 };
  return { codeError, codeStatus: 429, retryAfterSeconds: result.retryAfterSeconds };
}

function proofOf(
  services: AccountServices,
  request: SessionRequest,
  response: Response,
  account: AccountSession,
  visit: ConnectVisit,
  { codeError }: Trouble,
): NonNullable<DecideView['proof']> {
  return {
    email: account.email,
    guard: verifyGuard(services, request, response, account),
    mailbox: mailboxHint(services.config, localeOfRequest(request)),
    returnTo: visit.path,
    ...(codeError === undefined ? {} : { error: codeError }),
  };
}

function sendToSignIn(response: Response, visit: ConnectVisit): void {
  sendOn(response, `/sign-in?return_to=${encodeURIComponent(visit.path)}`, visit.policy);
}

function sendDecision(
  services: AccountServices,
  request: SessionRequest,
  response: Response,
  visit: ConnectVisit,
  account: AccountSession,
  trouble: Trouble,
): void {
  const locale = localeOfRequest(request);
  const page = decidePage({
    locale,
    partner: visit.partner,
    ...returnHostOf(visit),
    zone: timeZoneOf(request, account),
    session: visit.session,
    path: visit.path,
    now: services.clock(),
    guard: formToken(services, request, response, bindingOf(visit, account)),
    account: accountBar(services, request, response, locale, account, visit.path),
    ...(account.emailVerified
      ? {}
      : { proof: proofOf(services, request, response, account, visit, trouble) }),
    nothingTicked: trouble.nothingTicked === true,
    ticked: trouble.ticked ?? [],
  });
  const status = trouble.nothingTicked === true ? 422 : (trouble.codeStatus ?? 200);
  if (trouble.retryAfterSeconds !== undefined) response.set('Retry-After', String(trouble.retryAfterSeconds));
  sendPage(response, status, page, visit.policy);
}

function bindingOf(visit: ConnectVisit, account: AccountSession): string {
  return `connect:${visit.session.session_id}:${account.id}`;
}

/**
 * Purposes approved; none for a decline; undefined for an approval that ticks nothing while a decision is
 * awaited.
 */
function decidedPurposes(request: SessionRequest, visit: ConnectVisit): Purpose[] | undefined {
  if (formText(request, 'decision') === 'decline') return [];
  const ticked = formTexts(request, 'purposes').filter(isPurpose);
  const approved = ticked.filter((purpose) => visit.session.requested_purposes.includes(purpose));
  return approved.length > 0 || visit.session.status !== 'created' ? approved : undefined;
}

/**
 * To the partner with the person's own decision; what somebody else did to the session is explained here
 * first.
 */
function afterDecision(session: StoredSession, path: string): string {
  const own =
    session.status === 'authorized' || (session.status === 'revoked' && session.revoked_by === 'person');
  if (!own || session.redirect_uri === null) return path;
  return returnAddress(session.redirect_uri, session.session_id, session.status);
}
