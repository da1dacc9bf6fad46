import express from 'express';
import { redeemConnectionToken } from '../../commands/redeemConnectionToken.js';
import { formText, queryText } from '../../http/formValues.js';
import { localeOfRequest } from '../../http/localeOfRequest.js';
import { setCookie } from '../../http/cookies.js';
import { formToken, isOwnForm } from '../../html/formGuard.js';
import { pageHeaders } from '../../html/pageHeaders.js';
import { sendFormRefused } from '../../html/sendFormRefused.js';
import { sendOn, sendPage } from '../../html/sendPage.js';
import type { AccountServices } from '../../accounts/AccountServices.js';
import type { ConnectStep } from './ConnectStep.js';
import type { ConnectVisit } from './ConnectVisit.js';
import { CONNECT_COOKIE, opens, openVisit } from './ConnectVisit.js';
import { decide, showDecision } from './decideStep.js';
import { sendEnded, sendForeign, sendInvalid, sendUsed } from './refusals.js';
import { startPage } from './startPage.js';

/**
 * The hosted page behind `connection_url` (docs/contract.md#connection-sessions and #connection-sessions).
 */
export function connectRouter(services: AccountServices): express.Router {
  const router = express.Router();
  router.get('/connect/:sessionId', at(services, show));
  router.post('/connect/:sessionId', at(services, redeem));
  router.get('/connect/:sessionId/state', at(services, ofThisBrowser(sendState)));
  router.post('/connect/:sessionId/decision', at(services, ofThisBrowser(decide)));
  return router;
}

function at(services: AccountServices, step: ConnectStep): express.RequestHandler<{ sessionId: string }> {
  return async (request, response) => {
    const visit = await openVisit(services, request, request.params.sessionId);
    if (visit === undefined) return sendInvalid(request, response);
    await step(services, request, response, visit);
  };
}

function ofThisBrowser(step: ConnectStep): ConnectStep {
  return (services, request, response, visit) =>
    visit.bound ? step(services, request, response, visit) : sendForeign(request, response, visit);
}

const show: ConnectStep = async (services, request, response, visit) => {
  const token = queryText(request, 'client_token');
  if (visit.bound && token !== undefined) return sendOn(response, visit.path, visit.policy);
  if (visit.bound) return showDecision(services, request, response, visit);
  if (token === undefined) return sendForeign(request, response, visit);
  if (!opens(token, visit.link.tokenHash)) return sendInvalid(request, response);
  if (visit.link.browserHash !== null) return sendUsed(request, response, visit);
  if (visit.session.status !== 'created') return sendEnded(request, response, visit);
  const view = {
    locale: localeOfRequest(request),
    partner: visit.partner,
    action: visit.path,
    clientToken: token,
  };
  const guard = formToken(services, request, response, startBinding(visit));
  sendPage(response, 200, startPage({ ...view, guard }), visit.policy);
};

function startBinding(visit: ConnectVisit): string {
  return `connect-start:${visit.session.session_id}`;
}

/**
 * "Continue": spends the token, binds the session to this browser and leads to the address without the token.
 */
const redeem: ConnectStep = async (services, request, response, visit) => {
  if (visit.bound) return sendOn(response, visit.path, visit.policy);
  const clientToken = formText(request, 'client_token');
  if (!opens(clientToken, visit.link.tokenHash)) return sendInvalid(request, response);
  if (!isOwnForm(services, request, startBinding(visit))) {
    const back = `${visit.path}?client_token=${encodeURIComponent(clientToken)}`;
    return sendFormRefused(response, localeOfRequest(request), back);
  }
  const input = { sessionId: visit.session.session_id, clientToken };
  const browser = await services.database.transaction(null, (tx) =>
    redeemConnectionToken(tx, services.clock, input),
  );
  if (browser === undefined) return sendUsed(request, response, visit);
  setCookie(services.config.baseUrl, response, CONNECT_COOKIE, browser, { path: visit.path });
  sendOn(response, visit.path, visit.policy);
};

const sendState: ConnectStep = (_services, _request, response, visit) => {
  response.set({ ...pageHeaders(), 'Content-Type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify({ status: visit.session.status }));
};
