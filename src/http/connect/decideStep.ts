import { decideConnection } from '../../commands/decideConnection.js';
import type { StoredSession } from '../../domain/connectionSession.js';
import type { Purpose } from '../../domain/purposes.js';
import { isPurpose } from '../../domain/purposes.js';
import type { AccountSession } from '../../oauth/accountSession.js';
import { readAccountSession } from '../../oauth/accountSession.js';
import { accountBar } from '../account/accountBar.js';
import { formText, formTexts } from '../formValues.js';
import { localeOfRequest } from '../localeOfRequest.js';
import { formToken, isOwnForm } from '../pages/formGuard.js';
import { sendFormRefused } from '../pages/sendFormRefused.js';
import { sendOn, sendPage } from '../pages/sendPage.js';
import type { PageServices } from '../PageServices.js';
import type { ConnectStep, SessionRequest } from './ConnectStep.js';
import type { ConnectVisit } from './ConnectVisit.js';
import { decidePage } from './decidePage.js';
import { returnAddress } from './returnAddress.js';
import type { Response } from 'express';
import { sendEnded } from './refusals.js';

/** The session's page in its own browser: sign in first, then decide; afterwards, what became of it. */
export const showDecision: ConnectStep = async (services, request, response, visit) => {
  if (visit.session.status !== 'created') return sendEnded(request, response, visit);
  const account = await readAccountSession(services, request);
  if (account === undefined) return sendToSignIn(response, visit);
  sendDecision(services, request, response, visit, account, false);
};

/** Takes the decision and leads on: to the partner, or to the page that tells what became of the session meanwhile. */
export const decide: ConnectStep = async (services, request, response, visit) => {
  const account = await readAccountSession(services, request);
  if (account === undefined) return sendToSignIn(response, visit);
  if (!isOwnForm(services, request, bindingOf(visit, account))) {
    return sendFormRefused(response, localeOfRequest(request), visit.path);
  }
  const purposes = decidedPurposes(request, visit);
  if (purposes === undefined) return sendDecision(services, request, response, visit, account, true);
  const input = { sessionId: visit.session.session_id, accountId: account.accountId, purposes };
  const context = { appId: visit.link.appId, clock: services.clock };
  const session = await services.database.transaction(context.appId, (tx) => decideConnection(tx, context, input));
  sendOn(response, session === undefined ? visit.path : afterDecision(session, visit.path), visit.policy);
};

function sendToSignIn(response: Response, visit: ConnectVisit): void {
  sendOn(response, `/sign-in?return_to=${encodeURIComponent(visit.path)}`, visit.policy);
}

function sendDecision(
  services: PageServices,
  request: SessionRequest,
  response: Response,
  visit: ConnectVisit,
  account: AccountSession,
  nothingTicked: boolean,
): void {
  const locale = localeOfRequest(request);
  const page = decidePage({
    locale,
    partner: visit.link.appName,
    session: visit.session,
    path: visit.path,
    now: services.clock(),
    guard: formToken(services, request, response, bindingOf(visit, account)),
    account: accountBar(services, request, response, locale, account, visit.path),
    nothingTicked,
  });
  sendPage(response, nothingTicked ? 422 : 200, page, visit.policy);
}

function bindingOf(visit: ConnectVisit, account: AccountSession): string {
  return `connect:${visit.session.session_id}:${account.id}`;
}

/** Purposes approved; none for a decline; undefined for an approval that ticks nothing while a decision is awaited. */
function decidedPurposes(request: SessionRequest, visit: ConnectVisit): Purpose[] | undefined {
  if (formText(request, 'decision') === 'decline') return [];
  const ticked = formTexts(request, 'purposes').filter(isPurpose);
  const approved = ticked.filter((purpose) => visit.session.requested_purposes.includes(purpose));
  return approved.length > 0 || visit.session.status !== 'created' ? approved : undefined;
}

/** To the partner with the person's own decision; what somebody else did to the session is explained here first. */
function afterDecision(session: StoredSession, path: string): string {
  const own = session.status === 'authorized' || (session.status === 'revoked' && session.revoked_by === 'person');
  if (!own || session.redirect_uri === null) return path;
  return returnAddress(session.redirect_uri, session.session_id, session.status);
}
