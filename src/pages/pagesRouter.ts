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
import { localeOfRequest } from '../http/localeOfRequest.js';
import { logosRouter } from './logos/logosRouter.js';
import { assetsRouter } from '../html/assets.js';
import { html } from '../html/html.js';
import { messagePage } from '../html/messagePage.js';
import { pageForm } from '../html/pageForm.js';
import { sendPage } from '../html/sendPage.js';
import type { AccountServices } from '../accounts/AccountServices.js';
import { textsFor } from '../texts/textsFor.js';

/** Paths of pages that read forms; other doors read their bodies themselves. */
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

/** Every page that a person meets, but for those of the authorization server. */
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
  // Withdrawing must not wait for what occupies the database.
  router.use(connectionsRouter({ ...services, database: services.database.urgent }));
  router.use(graphiqlRouter(services, loadBundle(GRAPHIQL)));
  router.use(dashboardRouter(services, loadBundle(DASHBOARD)));
  router.use(FORM_PATHS, showNotFound);
  router.use(FORM_PATHS, showFailure(services));
  return router;
}

function showNotFound(request: Request, response: Response): void {
  const locale = localeOfRequest(request);
  const { errors } = textsFor(locale);
  sendPage(response, 404, messagePage(locale, errors.notFoundTitle, html`<p>${errors.notFound}</p>`));
}

/**
 * Tells a person that it was not their doing, and the log what it was. Bodies that cannot be read are the
 * sender's.
 */
function showFailure(services: AccountServices) {
  return (error: unknown, request: Request, response: Response, next: NextFunction): void => {
    if (response.headersSent) return next(error);
    const locale = localeOfRequest(request);
    const { errors } = textsFor(locale);
    if (isUnreadableBody(error))
      return sendPage(response, 400, messagePage(locale, errors.formTitle, html`<p>${errors.form}</p>`));
    const requestId = notesOf(response).requestId;
    services.log.error({ err: error, requestId, path: request.path }, 'A page failed.');
    const number = html`<p><code>${requestId}</code></p>`;
    const { status } = describeError(error);
    if (status === 503) response.set('Retry-After', '1');
    sendPage(
      response,
      status === 503 ? 503 : 500,
      messagePage(locale, errors.brokenTitle, html`<p>${errors.broken}</p>`, requestId !== '' && number),
    );
  };
}

function isUnreadableBody(error: unknown): boolean {
  return (
    error instanceof Error && 'status' in error && typeof error.status === 'number' && error.status < 500
  );
}
