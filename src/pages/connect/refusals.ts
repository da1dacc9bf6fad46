import type { Request, Response } from 'express';
import { timeZoneOf } from '../account/timeZoneOf.js';
import { localeOfRequest } from '../../http/localeOfRequest.js';
import { html } from '../../html/html.js';
import { messagePage } from '../../html/messagePage.js';
import { sendPage } from '../../html/sendPage.js';
import { textsFor } from '../../texts/textsFor.js';
import type { ConnectVisit } from './ConnectVisit.js';
import { endedPage } from './endedPage.js';

/** The session no longer waits for a decision. */
export function sendEnded(request: Request, response: Response, visit: ConnectVisit): void {
  const { status, revoked_by: by } = visit.session;
  // What the person did themselves is no failure: declining without an address to go back to ends on this
  // page.
  const gone = status === 'expired' || (status === 'revoked' && by !== 'person');
  const page = endedPage(localeOfRequest(request), visit.link.appName, visit.session, timeZoneOf(request));
  sendPage(response, gone ? 410 : 200, page, visit.policy);
}

/** The link was redeemed, in this browser or another. */
export function sendUsed(request: Request, response: Response, visit: ConnectVisit): void {
  const locale = localeOfRequest(request);
  const { connect } = textsFor(locale);
  const page = messagePage(locale, connect.usedTitle, html`<p>${connect.used(visit.link.appName)}</p>`);
  sendPage(response, 410, page, visit.policy);
}

/** The address without a token, in a browser that the session is not bound to. */
export function sendForeign(request: Request, response: Response, visit: ConnectVisit): void {
  const locale = localeOfRequest(request);
  const { connect } = textsFor(locale);
  sendPage(
    response,
    403,
    messagePage(locale, connect.foreignTitle, html`<p>${connect.foreign}</p>`),
    visit.policy,
  );
}

/** No such session, or a token that was never issued for it. */
export function sendInvalid(request: Request, response: Response): void {
  const locale = localeOfRequest(request);
  const { connect } = textsFor(locale);
  sendPage(response, 404, messagePage(locale, connect.invalidTitle, html`<p>${connect.invalid}</p>`));
}
