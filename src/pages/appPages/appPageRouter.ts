import type { Request, Response } from 'express';
import express from 'express';
import type { AccountSession } from '../../accounts/AccountSession.js';
import { readAccountSession } from '../../oauth/accountSession.js';
import type { AppSession } from '../../oauth/appSession.js';
import { endAppSession, readAppSession, startAppSession } from '../../oauth/appSession.js';
import type { FirstPartyPage } from '../../oauth/firstPartyPages.js';
import type { MemberApp } from '../../oauth/listMemberApps.js';
import { listMemberApps } from '../../oauth/listMemberApps.js';
import type { Scope } from '../../domain/scopes.js';
import { isReadScope } from '../../domain/scopes.js';
import { accountBar } from '../account/accountBar.js';
import { returnPath } from '../../http/returnPath.js';
import { formText, formTexts, queryText } from '../../http/formValues.js';
import { localeOfRequest } from '../../http/localeOfRequest.js';
import { formToken, isOwnForm } from '../../html/formGuard.js';
import type { Html } from '../../html/html.js';
import { html } from '../../html/html.js';
import { messagePage } from '../../html/messagePage.js';
import { pageHeaders } from '../../html/pageHeaders.js';
import { sendFormRefused } from '../../html/sendFormRefused.js';
import { sendOn, sendPage } from '../../html/sendPage.js';
import type { AccountServices } from '../../accounts/AccountServices.js';
import type { Locale } from '../../texts/textsFor.js';
import { textsFor } from '../../texts/textsFor.js';
import type { Bundle } from './bundle.js';
import { bundleRouter } from './bundle.js';
import { forwardQuery } from './forwardQuery.js';
import { pickPage } from './pickPage.js';
import { beginSignIn, completeSignIn, takeFlow } from './signInFlow.js';

/** Somebody who is signed in, at the page. */
export interface AppPageVisit {
  services: AccountServices;
  page: FirstPartyPage;
  request: Request;
  response: Response;
  account: AccountSession;
  locale: Locale;
}

/** A visit with a token for one of the person's apps. */
export interface OpenVisit extends AppPageVisit {
  session: AppSession;
  app: MemberApp;
  /** The guard of the forms that post to `…/start` and `…/leave`. */
  guard: Html;
}

interface AppPage {
  page: FirstPartyPage;
  /** Undefined when it was not built: the page then says how to. */
  bundle: Bundle | undefined;
  /** Paths, below the page's own, that show it. */
  paths: readonly string[];
  show: (visit: OpenVisit, bundle: Bundle) => void;
}

/**
 * A program of this service's own that runs in the browser: sign in, pick an app, authorize, work. Tokens
 * stay here.
 */
export function appPageRouter(
  services: AccountServices,
  { page, bundle, paths, show }: AppPage,
): express.Router {
  const router = express.Router();
  const shown = [page.path, ...paths.map((path) => `${page.path}${path}`)];
  if (bundle === undefined)
    return router.get(shown, (request, response) => sendAbsent(page, request, response));
  const at = (step: (visit: AppPageVisit) => Promise<void>) => signedIn(services, page, step);
  router.use(bundleRouter(bundle));
  router.post(`${page.path}/start`, at(start));
  router.post(`${page.path}/leave`, at(leave));
  router.get(`${page.path}/callback`, at(complete));
  router.get(`${page.path}/renew`, at(renew));
  router.post(
    `${page.path}/query`,
    express.text({ type: 'application/json', limit: '1mb' }),
    (request, response) => forwardQuery(services, page, request, response),
  );
  router.get(
    shown,
    at((visit) => open(visit, (opened) => show(opened, bundle))),
  );
  return router;
}

function sendAbsent(page: FirstPartyPage, request: Request, response: Response): void {
  const locale = localeOfRequest(request);
  const { appPages } = textsFor(locale);
  const command = html`<p><code>npm run ${page.name}:build</code></p>`;
  const lead = html`<p>${appPages.absent}</p>`;
  sendPage(response, 503, messagePage(locale, appPages.absentTitle(page.title), lead, command));
}

function signedIn(
  services: AccountServices,
  page: FirstPartyPage,
  step: (visit: AppPageVisit) => Promise<void>,
): express.RequestHandler {
  return async (request, response) => {
    const account = await readAccountSession(services, request);
    if (account === undefined) {
      const returnTo = pathWithin(page, request.originalUrl);
      return sendOn(response, `/sign-in?return_to=${encodeURIComponent(returnTo)}`);
    }
    await step({ services, page, request, response, account, locale: localeOfRequest(request) });
  };
}

/** A path that shows the page, as far as signing in may lead back to it; else the page's own. */
function pathWithin(page: FirstPartyPage, wanted: string | undefined): string {
  const path = returnPath(wanted);
  const isStep = /\/(start|leave|callback|renew|query)(\?|$)/.test(path);
  return !isStep &&
    (path === page.path || /^[/?]/.test(path.slice(page.path.length))) &&
    path.startsWith(page.path)
    ? path
    : page.path;
}

async function open(visit: AppPageVisit, show: (visit: OpenVisit) => void): Promise<void> {
  const { services, page, request, response, account, locale } = visit;
  const [session, apps] = await Promise.all([
    readAppSession(services, page, request, account),
    listMemberApps(services.database, account.accountId),
  ]);
  const app = apps.find(({ appId }) => appId === session?.appId);
  const guard = formToken(services, request, response, bindingOf(visit));
  if (session !== undefined && app !== undefined) return show({ ...visit, session, app, guard });
  const bar = accountBar(services, request, response, locale, account, page.path);
  const returnTo = pathWithin(page, request.originalUrl);
  sendPage(response, 200, pickPage({ locale, page, apps, guard, account: bar, returnTo }));
}

function bindingOf({ page, account }: AppPageVisit): string {
  return `${page.name}:${account.id}`;
}

async function memberApp(
  { services, account }: AppPageVisit,
  appId: string | undefined,
): Promise<MemberApp | undefined> {
  const apps = await listMemberApps(services.database, account.accountId);
  return apps.find((app) => app.appId === appId);
}

async function start(visit: AppPageVisit): Promise<void> {
  const { services, page, request, response, locale } = visit;
  if (!isOwnForm(services, request, bindingOf(visit))) return sendFormRefused(response, locale, page.path);
  const app = await memberApp(visit, formText(request, 'app_id'));
  if (app === undefined) return sendOn(response, page.path);
  const returnTo = pathWithin(page, formText(request, 'return_to'));
  const chosen = chosenScopes(request, app);
  if (chosen?.length === 0) return sendOn(response, page.path);
  const flow = { silent: false, returnTo, ...(chosen === undefined ? {} : { chosen }) };
  sendOn(response, await beginSignIn(services, page, response, app, flow));
}

/** The rights that the person chose for the page; undefined for all they have. */
function chosenScopes(request: Request, app: MemberApp): Scope[] | undefined {
  const reach = formText(request, 'reach');
  if (reach === 'read') return app.scopes.filter(isReadScope);
  const ticked = formTexts(request, 'scopes');
  return reach === 'chosen' ? app.scopes.filter((scope) => ticked.includes(scope)) : undefined;
}

/** Forgets the token and asks for an app again. */
async function leave(visit: AppPageVisit): Promise<void> {
  const { services, page, request, response, locale } = visit;
  if (!isOwnForm(services, request, bindingOf(visit))) return sendFormRefused(response, locale, page.path);
  await endAppSession(services, page, request, response);
  sendOn(response, page.path);
}

/**
 * A new token for the open app, without asking: the page's script follows the redirects and looks at the
 * status.
 */
async function renew(visit: AppPageVisit): Promise<void> {
  const { services, page, request, response, account } = visit;
  const session = await readAppSession(services, page, request, account);
  const app = await memberApp(visit, session?.appId);
  if (session === undefined || app === undefined) return refuseRenewal(visit);
  const flow = { silent: true, returnTo: page.path };
  const chosen = app.scopes.filter((scope) => session.scopes.includes(scope));
  const narrowed = session.isNarrowed === true ? { ...flow, chosen } : flow;
  sendOn(response, await beginSignIn(services, page, response, app, narrowed));
}

async function complete(visit: AppPageVisit): Promise<void> {
  const { services, page, request, response, account } = visit;
  const flow = takeFlow(services, page, request, response);
  try {
    if (flow === undefined) throw new Error('No sign-in was under way in this browser.');
    const session = await completeSignIn(services, request, flow, account);
    await startAppSession(services, page, request, response, account, session);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown';
    services.log.warn({ reason, page: page.name }, 'signing in to a page failed');
    return flow?.silent === true ? refuseRenewal(visit) : sendFailure(visit);
  }
  if (flow.silent) answerScript(response, 204);
  else sendOn(response, flow.returnTo);
}

/**
 * The person has to be asked again, so the session with the old token ends: the page comes back to the choice
 * of an app.
 */
async function refuseRenewal({ services, page, request, response }: AppPageVisit): Promise<void> {
  await endAppSession(services, page, request, response);
  answerScript(response, 403);
}

function answerScript(response: Response, status: number): void {
  response.set(pageHeaders()).status(status).end();
}

function sendFailure({ page, request, response, locale }: AppPageVisit): void {
  const { appPages } = textsFor(locale);
  const denied = queryText(request, 'error') === 'access_denied';
  const [title, text] = denied
    ? [appPages.deniedTitle, appPages.denied(page.title)]
    : [appPages.failedTitle(page.title), appPages.failed];
  const again = html`<div class="actions"><a class="button" href="${page.path}">${appPages.again}</a></div>`;
  sendPage(response, denied ? 403 : 400, messagePage(locale, title, html`<p>${text}</p>`, again));
}
