import type { NextFunction, Request, Response } from 'express';
import express from 'express';
import { DASHBOARD, GRAPHIQL } from '../oauth/firstPartyPages.js';
import { describeError } from '../access/describeError.js';
import { notesOf } from '../http/requestNotes.js';
import { mailboxRouter } from './mailbox/mailboxRouter.js';
import { recoveryRouter } from './account/recoveryRouter.js';
import { signUpRouter } from './account/signUpRouter.js';
import { verifyRouter } from './account/verifyRouter.js';
import { manageRouter } from './account/manageRouter.js';
import { accountRouter } from './account/accountRouter.js';
import { connectRouter } from './connect/connectRouter.js';
import { connectionsRouter } from './connections/connectionsRouter.js';
import { docsRouter } from './docs/docsRouter.js';
import { loadSite } from './docs/KeptSite.js';
import { homeRouter } from './home/homeRouter.js';
import { loadBundle } from './appPages/bundle.js';
import { dashboardRouter } from './dashboard/dashboardRouter.js';
import { graphiqlRouter } from './graphiql/graphiqlRouter.js';
import { logosRouter } from './logos/logosRouter.js';
import { assetsRouter } from '../html/assets.js';
import { html } from '../html/html.js';
import { isUnstorableAddress, pageForm } from '../html/pageForm.js';
import { PageVisit } from '../html/PageVisit.js';
import type { AccountServices } from '../accounts/AccountServices.js';

/** Paths of pages that read forms. Other routers read their bodies themselves. */
const FORM_PATHS = [
  '/sign-in',
  '/sign-up',
  '/sign-out',
  '/forgot-password',
  '/reset-password',
  '/verify-address',
  '/account',
  '/erasures',
  '/connect',
  '/connections',
  '/graphiql',
  '/dashboard',
];

/** What programs ask. An unknown address below it is JSON to browsers too. */
const PROGRAM_PATHS = /^\/(v1|graphql|oauth|\.well-known|operator|healthz|readyz|metrics)(\/|$)/;

/** All pages for people, except those of the authorization server. */
export function pagesRouter(services: AccountServices): express.Router {
  const router = express.Router();
  router.use(assetsRouter());
  router.use(logosRouter(services));
  router.use(homeRouter(services));
  router.use(docsRouter(loadSite()));
  router.use(FORM_PATHS, pageForm('32kb'));
  router.use(
    accountRouter(services),
    signUpRouter(services),
    recoveryRouter(services),
    verifyRouter(services),
    manageRouter(services),
    mailboxRouter(services),
  );
  router.use(connectRouter(services));
  // Withdrawals use the reserved connections, so that a busy database does not delay them.
  router.use(connectionsRouter({ ...services, database: services.database.urgent }));
  router.use(graphiqlRouter(services, loadBundle(GRAPHIQL)));
  router.use(dashboardRouter(services, loadBundle(DASHBOARD)));
  router.use(FORM_PATHS, PageVisit.at(services, showNotFound));
  router.use(FORM_PATHS, showFailure(services));
  router.use(showUnknown(services));
  return router;
}

/** Shows a browser a page where there is none. Programs get the JSON of `unknownRoute`. */
function showUnknown(services: AccountServices): express.RequestHandler {
  return (request, response, next) => {
    const isOpened = request.method === 'GET' || request.method === 'HEAD';
    if (!isOpened || PROGRAM_PATHS.test(request.path)) return next();
    if (request.accepts(['json', 'html']) !== 'html') return next();
    showNotFound(new PageVisit(services, request, response));
  };
}

function showNotFound(visit: PageVisit): void {
  const { errors } = visit.texts;
  visit.say(404, errors.notFoundTitle, html`<p>${errors.notFound}</p>`);
}

/** Shows an error page and logs the cause. An unreadable body is a client error: 400. */
function showFailure(services: AccountServices) {
  return (error: unknown, request: Request, response: Response, next: NextFunction): void => {
    if (response.headersSent) return next(error);
    const visit = new PageVisit(services, request, response);
    if (error instanceof URIError || isUnstorableAddress(request)) return showNotFound(visit);
    const { errors } = visit.texts;
    if (isUnreadableBody(error)) return visit.say(400, errors.formTitle, html`<p>${errors.form}</p>`);
    const requestId = notesOf(response).requestId;
    services.log.error({ err: error, requestId, path: request.path }, 'A page failed.');
    const isAway = describeError(error).status === 503;
    if (isAway) response.set('Retry-After', '1');
    const number = requestId !== '' && html`<p><code>${requestId}</code></p>`;
    visit.say(isAway ? 503 : 500, errors.brokenTitle, html`<p>${errors.broken}</p>`, number);
  };
}

function isUnreadableBody(error: unknown): boolean {
  return (
    error instanceof Error && 'status' in error && typeof error.status === 'number' && error.status < 500
  );
}
