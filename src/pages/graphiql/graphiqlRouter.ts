import type express from 'express';
import { fingerprint } from '../../domain/secretToken.js';
import { GRAPHIQL } from '../../oauth/firstPartyPages.js';
import type { SignedInVisit } from '../account/signedIn.js';
import type { OpenApp } from '../appPages/appPageRouter.js';
import { appPageRouter } from '../appPages/appPageRouter.js';
import type { Bundle } from '../appPages/bundle.js';
import type { AccountServices } from '../../accounts/AccountServices.js';
import { workbenchPage } from './workbenchPage.js';

/**
 * GraphiQL for members of an app.
 *
 * @param bundle undefined when it was not built; the page then shows the build command
 */
export function graphiqlRouter(services: AccountServices, bundle: Bundle | undefined): express.Router {
  return appPageRouter(services, { page: GRAPHIQL, bundle, paths: [], show });
}

function show(visit: SignedInVisit, { session, app, guard, bundle }: OpenApp): void {
  const account = visit.bar(GRAPHIQL.path);
  const view = {
    locale: visit.locale,
    account,
    guard,
    owner: fingerprint(`graphiql:${visit.account.id}`),
    appId: app.appId,
    appName: app.name,
    scopes: session.scopes,
    bundle,
  };
  visit.show(200, workbenchPage(view), { connects: true });
}
