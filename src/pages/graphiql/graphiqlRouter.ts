import type express from 'express';
import { GRAPHIQL } from '../../oauth/firstPartyPages.js';
import { accountBar } from '../account/accountBar.js';
import type { OpenVisit } from '../appPages/appPageRouter.js';
import { appPageRouter } from '../appPages/appPageRouter.js';
import type { Bundle } from '../appPages/bundle.js';
import { sendPage } from '../../html/sendPage.js';
import type { AccountServices } from '../../accounts/AccountServices.js';
import { workbenchPage } from './workbenchPage.js';

/**
 * GraphiQL for colleagues.
 *
 * @param bundle undefined when it was not built: the page then says how to
 */
export function graphiqlRouter(services: AccountServices, bundle: Bundle | undefined): express.Router {
  return appPageRouter(services, { page: GRAPHIQL, bundle, paths: [], show });
}

function show(visit: OpenVisit, bundle: Bundle): void {
  const { services, request, response, locale, account, session, app, guard } = visit;
  const bar = accountBar(services, request, response, locale, account, GRAPHIQL.path);
  const view = { locale, account: bar, guard, appName: app.name, scopes: session.scopes, bundle };
  sendPage(response, 200, workbenchPage(view), { connects: true });
}
