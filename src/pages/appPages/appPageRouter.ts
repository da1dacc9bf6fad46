import express from 'express';
import type { AccountServices } from '../../accounts/AccountServices.js';
import { describeError } from '../../access/describeError.js';
import type { Scope } from '../../domain/scopes.js';
import { isReadScope } from '../../domain/scopes.js';
import type { Html } from '../../html/html.js';
import { html } from '../../html/html.js';
import { ownForm } from '../../html/ownForm.js';
import { pageHeaders } from '../../html/pageHeaders.js';
import { PageVisit } from '../../html/PageVisit.js';
import { returnPath } from '../../http/returnPath.js';
import type { AppSession } from '../../oauth/appSession.js';
import { endAppSession, isOfOpenApp, readAppSession, startAppSession } from '../../oauth/appSession.js';
import type { FirstPartyPage } from '../../oauth/firstPartyPages.js';
import type { MemberApp } from '../../oauth/listMemberApps.js';
import { listMemberApps } from '../../oauth/listMemberApps.js';
import type { SignedInVisit } from '../account/signedIn.js';
import { signedIn } from '../account/signedIn.js';
import type { Bundle } from './bundle.js';
import { bundleRouter } from './bundle.js';
import { forwardQuery } from './forwardQuery.js';
import { pickPage } from './pickPage.js';
import { beginSignIn, completeSignIn, takeFlow } from './signInFlow.js';

/** An app that is open in the page, with its session. */
export interface OpenApp {
  session: AppSession;
  app: MemberApp;
  /** The guard of the forms for `…/start` and `…/leave`. */
  guard: Html;
  bundle: Bundle;
}

interface AppPage {
  page: FirstPartyPage;
  /** Undefined when it was not built; the page then shows the build command. */
  bundle: Bundle | undefined;
  /** Further paths below the page's own that show it. */
  paths: readonly string[];
  show: (visit: SignedInVisit, opened: OpenApp) => void;
}

type Step = (visit: SignedInVisit, page: FirstPartyPage) => Promise<void>;

/**
 * A browser program of this service: the person signs in, picks an app and authorizes the program. Its tokens
 * stay on the server.
 */
export function appPageRouter(
  services: AccountServices,
  { page, bundle, paths, show }: AppPage,
): express.Router {
  const router = express.Router();
  const shown = [page.path, ...paths.map((path) => `${page.path}${path}`)];
  if (bundle === undefined)
    return router.get(
      shown,
      PageVisit.at(services, (visit) => sendAbsent(visit, page)),
    );
  const back = (visit: PageVisit): string => pathWithin(page, visit.request.originalUrl);
  const at = (step: Step) => signedIn(services, (visit) => step(visit, page), back);
  const form = (step: Step) => {
    const own = ownForm<SignedInVisit>(
      bindingOf(page),
      () => page.path,
      (visit) => step(visit, page),
    );
    return signedIn(services, own, back);
  };
  router.use(bundleRouter(bundle));
  router.post(`${page.path}/start`, form(start));
  router.post(`${page.path}/leave`, form(leave));
  router.get(
    [`${page.path}/start`, `${page.path}/leave`],
    PageVisit.leading(services, () => page.path),
  );
  router.get(`${page.path}/callback`, at(complete));
  router.get(`${page.path}/renew`, at(renew));
  router.post(
    `${page.path}/query`,
    express.text({ type: 'application/json', limit: '1mb' }),
    (request, response) => forwardQuery(services, page, request, response),
  );
  router.get(
    shown,
    at((visit) => open(visit, page, (opened) => show(visit, { ...opened, bundle }))),
  );
  return router;
}

function sendAbsent(visit: PageVisit, page: FirstPartyPage): void {
  const { appPages } = visit.texts;
  const command = html`<p><code>npm run ${page.name}:build</code></p>`;
  visit.say(503, appPages.absentTitle(page.title), html`<p>${appPages.absent}</p>`, command);
}

/** The wanted path if it is one of the page's and not a step of signing in, else the page's own path. */
function pathWithin(page: FirstPartyPage, wanted: string | undefined): string {
  const path = returnPath(wanted);
  const isStep = /\/(start|leave|callback|renew|query)(\?|$)/.test(path);
  return !isStep &&
    (path === page.path || /^[/?]/.test(path.slice(page.path.length))) &&
    path.startsWith(page.path)
    ? path
    : page.path;
}

async function open(
  visit: SignedInVisit,
  page: FirstPartyPage,
  show: (opened: Omit<OpenApp, 'bundle'>) => void,
): Promise<void> {
  const { services, request, account, locale } = visit;
  const [session, apps] = await Promise.all([
    readAppSession(services, page, request, account),
    listMemberApps(services.database, account.accountId),
  ]);
  const app = apps.find(({ appId }) => appId === session?.appId);
  const guard = visit.guard(bindingOf(page)(visit));
  if (session !== undefined && app !== undefined) return show({ session, app, guard });
  const returnTo = pathWithin(page, request.originalUrl);
  visit.show(200, pickPage({ locale, page, apps, guard, account: visit.bar(page.path), returnTo }));
}

function bindingOf(page: FirstPartyPage): (visit: SignedInVisit) => string {
  return ({ account }) => `${page.name}:${account.id}`;
}

async function memberApp(
  { services, account }: SignedInVisit,
  appId: string | undefined,
): Promise<MemberApp | undefined> {
  const apps = await listMemberApps(services.database, account.accountId);
  return apps.find((app) => app.appId === appId);
}

const start: Step = async (visit, page) => {
  const app = await memberApp(visit, visit.field('app_id'));
  if (app === undefined) return visit.goTo(page.path);
  const returnTo = pathWithin(page, visit.field('return_to'));
  const chosen = chosenScopes(visit, app);
  if (chosen?.length === 0) return visit.goTo(page.path);
  const flow = { silent: false, returnTo, ...(chosen === undefined ? {} : { chosen }) };
  visit.goTo(await beginSignIn(visit, page, app, flow));
};

/** The scopes that the person chose for the page; undefined for all of theirs. */
function chosenScopes(visit: PageVisit, app: MemberApp): Scope[] | undefined {
  const reach = visit.field('reach');
  if (reach === 'read') return app.scopes.filter(isReadScope);
  const ticked = visit.fields('scopes');
  return reach === 'chosen' ? app.scopes.filter((scope) => ticked.includes(scope)) : undefined;
}

/** Ends the page's session. The person then picks an app again. */
const leave: Step = async (visit, page) => {
  await endAppSession(visit, page);
  visit.goTo(page.path);
};

/**
 * Gets a new token for the open app without asking the person. The page's script follows the redirects and
 * reads the status.
 */
const renew: Step = async (visit, page) => {
  const { services, request, account } = visit;
  const session = await readAppSession(services, page, request, account);
  const app = await memberApp(visit, session?.appId);
  if (session === undefined || app === undefined) return refuseRenewal(visit, page);
  if (!isOfOpenApp(session, request)) return answerScript(visit, 409);
  const flow = { silent: true, returnTo: page.path };
  const chosen = app.scopes.filter((scope) => session.scopes.includes(scope));
  const narrowed = session.isNarrowed === true ? { ...flow, chosen } : flow;
  visit.goTo(await beginSignIn(visit, page, app, narrowed));
};

const complete: Step = async (visit, page) => {
  const flow = takeFlow(visit, page);
  try {
    if (flow === undefined) throw new Error('No sign-in was under way in this browser.');
    const session = await completeSignIn(visit, flow);
    await startAppSession(visit, page, session);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown';
    visit.services.log.warn({ reason, page: page.name }, 'signing in to a page failed');
    if (flow?.silent !== true) return sendFailure(visit, page);
    return isTransientFailure(error) ? answerScript(visit, 503) : refuseRenewal(visit, page);
  }
  if (flow.silent) answerScript(visit, 204);
  else visit.goTo(flow.returnTo);
};

/** Whether the token may be renewed later: the authorization server was away, busy or had a fault. */
function isTransientFailure(error: unknown): boolean {
  const { error: code, status, cause } = error as { error?: unknown; status?: unknown; cause?: unknown };
  if (typeof status === 'number' && (status === 429 || status >= 500)) return true;
  return (
    code === 'temporarily_unavailable' ||
    code === 'server_error' ||
    [error, cause].some((one) => describeError(one).code === 'unavailable')
  );
}

/** Ends the session with the old token. The person must pick an app and authorize again. */
async function refuseRenewal(visit: SignedInVisit, page: FirstPartyPage): Promise<void> {
  await endAppSession(visit, page);
  answerScript(visit, 403);
}

function answerScript({ response }: PageVisit, status: number): void {
  response.set(pageHeaders()).status(status).end();
}

function sendFailure(visit: PageVisit, page: FirstPartyPage): void {
  const { appPages } = visit.texts;
  const denied = visit.parameter('error') === 'access_denied';
  const [title, text] = denied
    ? [appPages.deniedTitle, appPages.denied(page.title)]
    : [appPages.failedTitle(page.title), appPages.failed];
  const again = html`<div class="actions"><a class="button" href="${page.path}">${appPages.again}</a></div>`;
  visit.say(denied ? 403 : 400, title, html`<p>${text}</p>`, again);
}
