import express from 'express';
import type { AccountServices } from '../../accounts/AccountServices.js';
import { redeemConnectionToken } from '../../commands/redeemConnectionToken.js';
import type { PageStep } from '../../html/PageVisit.js';
import { PageVisit } from '../../html/PageVisit.js';
import { setCookie } from '../../http/cookies.js';
import { orSignIn } from '../account/signedIn.js';
import type { ConnectVisit } from './ConnectVisit.js';
import { CONNECT_COOKIE, opens, openVisit } from './ConnectVisit.js';
import { decide, showDecision } from './decideStep.js';
import { sendEnded, sendForeign, sendInvalid, sendUsed } from './refusals.js';
import { startPage } from './startPage.js';

type Step = PageStep<ConnectVisit>;

/**
 * The hosted page behind `connection_url` (docs/contract.md#connection-sessions).
 */
export function connectRouter(services: AccountServices): express.Router {
  const router = express.Router();
  router.get('/connect/:sessionId', at(services, show));
  router.post('/connect/:sessionId', at(services, redeem));
  router.get('/connect/:sessionId/state', at(services, ofThisBrowser(sendState)));
  // A page that answers a refused form has the form's address, and is loaded again when the session ends.
  router.get(
    '/connect/:sessionId/decision',
    at(services, (visit) => visit.goTo(visit.path)),
  );
  router.post(
    '/connect/:sessionId/decision',
    at(
      services,
      ofThisBrowser((visit) => orSignIn(visit, visit.path, () => decide(visit))),
    ),
  );
  return router;
}

function at(services: AccountServices, step: Step): express.RequestHandler {
  return PageVisit.at(services, async (page) => {
    const visit = await openVisit(page, String(page.request.params['sessionId']));
    return visit === undefined ? sendInvalid(page) : step(visit);
  });
}

function ofThisBrowser(step: Step): Step {
  return (visit) => (visit.bound ? step(visit) : sendForeign(visit));
}

const show: Step = (visit) => {
  const { locale, partner, path, link, session } = visit;
  const token = visit.parameter('client_token');
  if (visit.bound && token !== undefined) return visit.goTo(path);
  if (visit.bound) return showDecision(visit);
  if (token === undefined) return sendForeign(visit);
  if (!opens(token, link.tokenHash)) return sendInvalid(visit);
  if (link.browserHash !== null) return sendUsed(visit);
  if (session.status !== 'created') return sendEnded(visit);
  const guard = visit.guard(startBinding(visit));
  const returns = session.redirect_uri !== null;
  visit.show(200, startPage({ locale, partner, returns, action: path, clientToken: token, guard }));
};

function startBinding(visit: ConnectVisit): string {
  return `connect-start:${visit.session.session_id}`;
}

/**
 * The "Continue" button: uses up the token, binds the session to this browser and redirects to the URL
 * without the token.
 */
const redeem: Step = async (visit) => {
  const { services, path } = visit;
  if (visit.bound) return visit.goTo(path);
  const clientToken = visit.field('client_token');
  if (!opens(clientToken, visit.link.tokenHash)) return sendInvalid(visit);
  if (!visit.isOwnForm(startBinding(visit)))
    return visit.refuseForm(`${path}?client_token=${encodeURIComponent(clientToken)}`);
  const input = { sessionId: visit.session.session_id, clientToken };
  const browser = await services.database.transaction(null, (tx) =>
    redeemConnectionToken(tx, services.clock, input),
  );
  if (browser === undefined) return sendUsed(visit);
  setCookie(services.config.baseUrl, visit.response, CONNECT_COOKIE, browser, { path });
  visit.goTo(path);
};

const sendState: Step = (visit) => visit.sendJson(200, { status: visit.session.status });
