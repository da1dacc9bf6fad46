import type { Request, Response } from 'express';
import express from 'express';
import type { AccountSession } from '../../oauth/accountSession.js';
import { readAccountSession } from '../../oauth/accountSession.js';
import { endGraphiqlSession, readGraphiqlSession, startGraphiqlSession } from '../../oauth/graphiqlSession.js';
import type { MemberApp } from '../../oauth/listMemberApps.js';
import { listMemberApps } from '../../oauth/listMemberApps.js';
import { accountBar } from '../account/accountBar.js';
import { formText, queryText } from '../formValues.js';
import { localeOfRequest } from '../localeOfRequest.js';
import { formToken, isOwnForm } from '../pages/formGuard.js';
import { html } from '../pages/html.js';
import { messagePage } from '../pages/messagePage.js';
import { pageHeaders } from '../pages/pageHeaders.js';
import { sendFormRefused } from '../pages/sendFormRefused.js';
import { sendOn, sendPage } from '../pages/sendPage.js';
import type { PageServices } from '../PageServices.js';
import { textsFor } from '../texts/textsFor.js';
import type { Bundle } from './bundle.js';
import { bundleRouter } from './bundle.js';
import { forwardQuery } from './forwardQuery.js';
import { pickPage } from './pickPage.js';
import { beginSignIn, completeSignIn, takeFlow } from './signInFlow.js';
import { workbenchPage } from './workbenchPage.js';

const PATH = '/graphiql';

interface Visit {
  services: PageServices;
  request: Request;
  response: Response;
  account: AccountSession;
}

/**
 * GraphiQL for colleagues: sign in, pick an app, authorize, work. Tokens stay in the service.
 *
 * @param bundle undefined when it was not built: the page then says how to
 */
export function graphiqlRouter(services: PageServices, bundle: Bundle | undefined): express.Router {
  const router = express.Router();
  if (bundle === undefined) return router.get(PATH, sendAbsent);
  router.use(bundleRouter(bundle));
  router.get(
    PATH,
    signedIn(services, (visit) => show(visit, bundle)),
  );
  router.post(`${PATH}/start`, signedIn(services, start));
  router.post(`${PATH}/leave`, signedIn(services, leave));
  router.get(`${PATH}/callback`, signedIn(services, complete));
  router.get(`${PATH}/renew`, signedIn(services, renew));
  router.post(`${PATH}/query`, express.text({ type: 'application/json', limit: '1mb' }), (request, response) =>
    forwardQuery(services, request, response),
  );
  return router;
}

function sendAbsent(request: Request, response: Response): void {
  const locale = localeOfRequest(request);
  const { graphiql } = textsFor(locale);
  const command = html`<p><code>npm run graphiql:build</code></p>`;
  sendPage(response, 503, messagePage(locale, graphiql.absentTitle, html`<p>${graphiql.absent}</p>`, command));
}

function signedIn(services: PageServices, step: (visit: Visit) => Promise<void>): express.RequestHandler {
  return async (request, response) => {
    const account = await readAccountSession(services, request);
    if (account === undefined) return sendOn(response, `/sign-in?return_to=${encodeURIComponent(PATH)}`);
    await step({ services, request, response, account });
  };
}

async function show(visit: Visit, bundle: Bundle): Promise<void> {
  const { services, request, response, account } = visit;
  const locale = localeOfRequest(request);
  const [session, apps] = await Promise.all([
    readGraphiqlSession(services, request, account),
    listMemberApps(services.database, account.accountId),
  ]);
  const app = apps.find(({ appId }) => appId === session?.appId);
  const common = {
    locale,
    account: accountBar(services, request, response, locale, account, PATH),
    guard: formToken(services, request, response, bindingOf(account)),
  };
  if (session === undefined || app === undefined) return sendPage(response, 200, pickPage({ ...common, apps }));
  const view = { ...common, appName: app.name, scopes: session.scopes, bundle };
  sendPage(response, 200, workbenchPage(view), { connects: true });
}

function bindingOf(account: AccountSession): string {
  return `graphiql:${account.id}`;
}

async function memberApp({ services, account }: Visit, appId: string | undefined): Promise<MemberApp | undefined> {
  const apps = await listMemberApps(services.database, account.accountId);
  return apps.find((app) => app.appId === appId);
}

async function start(visit: Visit): Promise<void> {
  const { services, request, response, account } = visit;
  if (!isOwnForm(services, request, bindingOf(account))) {
    return sendFormRefused(response, localeOfRequest(request), PATH);
  }
  const app = await memberApp(visit, formText(request, 'app_id'));
  sendOn(response, app === undefined ? PATH : await beginSignIn(services, response, app, false));
}

/** Forgets the token and asks for an app again. */
async function leave({ services, request, response, account }: Visit): Promise<void> {
  if (!isOwnForm(services, request, bindingOf(account))) {
    return sendFormRefused(response, localeOfRequest(request), PATH);
  }
  await endGraphiqlSession(services, request, response);
  sendOn(response, PATH);
}

/** A new token for the open app, without asking: the page's script follows the redirects and looks at the status. */
async function renew(visit: Visit): Promise<void> {
  const { services, request, response, account } = visit;
  const session = await readGraphiqlSession(services, request, account);
  const app = await memberApp(visit, session?.appId);
  if (app === undefined) return refuseRenewal(visit);
  sendOn(response, await beginSignIn(services, response, app, true));
}

async function complete(visit: Visit): Promise<void> {
  const { services, request, response, account } = visit;
  const flow = takeFlow(services, request, response);
  try {
    if (flow === undefined) throw new Error('No sign-in was under way in this browser.');
    const session = await completeSignIn(services, request, flow, account);
    await startGraphiqlSession(services, request, response, account, session);
  } catch (error) {
    services.log.warn({ reason: error instanceof Error ? error.message : 'unknown' }, 'GraphiQL sign-in failed');
    return flow?.silent === true ? refuseRenewal(visit) : sendFailure(request, response);
  }
  if (flow.silent) answerScript(response, 204);
  else sendOn(response, PATH);
}

/** The person has to be asked again, so the session with the old token ends: the page comes back to the choice of an app. */
async function refuseRenewal({ services, request, response }: Visit): Promise<void> {
  await endGraphiqlSession(services, request, response);
  answerScript(response, 403);
}

function answerScript(response: Response, status: number): void {
  response.set(pageHeaders()).status(status).end();
}

function sendFailure(request: Request, response: Response): void {
  const locale = localeOfRequest(request);
  const { graphiql } = textsFor(locale);
  const denied = queryText(request, 'error') === 'access_denied';
  const [title, text] = denied ? [graphiql.deniedTitle, graphiql.denied] : [graphiql.failedTitle, graphiql.failed];
  const again = html`<div class="actions"><a class="button" href="${PATH}">${graphiql.again}</a></div>`;
  sendPage(response, denied ? 403 : 400, messagePage(locale, title, html`<p>${text}</p>`, again));
}
