import type express from 'express';
import { DASHBOARD } from '../../oauth/firstPartyPages.js';
import type { SignedInVisit } from '../account/signedIn.js';
import { signOutBinding } from '../account/signedIn.js';
import type { OpenApp } from '../appPages/appPageRouter.js';
import { appPageRouter } from '../appPages/appPageRouter.js';
import type { Bundle } from '../appPages/bundle.js';
import { pageHeaders } from '../../html/pageHeaders.js';
import type { AccountServices } from '../../accounts/AccountServices.js';
import { dashboardPage } from './dashboardPage.js';
import type { FirstLoad } from './firstLoad.js';
import { loadFirstLoad, scriptsFor } from './firstLoad.js';

/** The dashboard routes in the browser: every path below its own is the same document. */
const PATHS = ['/*path'];

/**
 * The partner's dashboard.
 *
 * @param bundle undefined when it was not built; the page then shows the build command
 */
export function dashboardRouter(services: AccountServices, bundle: Bundle | undefined): express.Router {
  const first = loadFirstLoad();
  return appPageRouter(services, {
    page: DASHBOARD,
    bundle,
    paths: PATHS,
    show: (visit, opened) => show(visit, opened, first),
  });
}

function show(visit: SignedInVisit, opened: OpenApp, first: FirstLoad | undefined): void {
  const { request, response, locale, account } = visit;
  const { session, app, guard, bundle } = opened;
  const signOut = visit.guard(signOutBinding(account));
  const preload = first === undefined ? [] : scriptsFor(first, locale, request.path);
  const view = {
    locale,
    email: account.email,
    timeZone: account.timeZone,
    app,
    scopes: session.scopes,
    forms: { app: guard, signOut },
    bundle,
    preload,
  };
  response.set({
    ...pageHeaders({ connects: true }),
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': locale,
    Vary: 'Accept-Language',
  });
  response.end(dashboardPage(view));
}
