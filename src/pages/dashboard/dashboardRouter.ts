import type express from 'express';
import { DASHBOARD } from '../../oauth/firstPartyPages.js';
import { signOutBinding } from '../account/accountBar.js';
import type { OpenVisit } from '../appPages/appPageRouter.js';
import { appPageRouter } from '../appPages/appPageRouter.js';
import type { Bundle } from '../appPages/bundle.js';
import { formToken } from '../../html/formGuard.js';
import { pageHeaders } from '../../html/pageHeaders.js';
import type { AccountServices } from '../../accounts/AccountServices.js';
import { dashboardPage } from './dashboardPage.js';
import type { FirstLoad } from './firstLoad.js';
import { loadFirstLoad, scriptsFor } from './firstLoad.js';

/** The dashboard finds its pages itself: every address below its own is the same document. */
const PATHS = ['/*path'];

/**
 * The partner's dashboard.
 *
 * @param bundle undefined when it was not built: the page then says how to
 */
export function dashboardRouter(services: AccountServices, bundle: Bundle | undefined): express.Router {
  const first = loadFirstLoad();
  return appPageRouter(services, {
    page: DASHBOARD,
    bundle,
    paths: PATHS,
    show: (visit, kept) => show(visit, kept, first),
  });
}

function show(visit: OpenVisit, bundle: Bundle, first: FirstLoad | undefined): void {
  const { services, request, response, locale, account, session, app, guard } = visit;
  const signOut = formToken(services, request, response, signOutBinding(account));
  const preload = first === undefined ? [] : scriptsFor(first, locale, request.path);
  const view = {
    locale,
    email: account.email,
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
