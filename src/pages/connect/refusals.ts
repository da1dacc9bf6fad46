import { html } from '../../html/html.js';
import { PageVisit } from '../../html/PageVisit.js';
import { timeZoneOf } from '../../http/timeZoneOf.js';
import type { ConnectVisit } from './ConnectVisit.js';
import { endedPage } from './endedPage.js';

/** The session no longer waits for a decision. */
export function sendEnded(visit: ConnectVisit): void {
  const { status, revoked_by: by } = visit.session;
  // A person's own decision is not a failure: declining without a redirect URI ends on this page with 200.
  const gone = status === 'expired' || (status === 'revoked' && by !== 'person');
  const page = endedPage(visit.locale, visit.link.appName, visit.session, timeZoneOf(visit.request));
  visit.show(gone ? 410 : 200, page);
}

/** The link was redeemed, in this browser or another. */
export function sendUsed(visit: ConnectVisit): void {
  const { connect } = visit.texts;
  visit.say(410, connect.usedTitle, html`<p>${connect.used(visit.link.appName)}</p>`);
}

/** The URL without a token, in a browser to which the session is not bound. */
export function sendForeign(visit: ConnectVisit): void {
  const { connect } = visit.texts;
  visit.say(403, connect.foreignTitle, html`<p>${connect.foreign}</p>`);
}

/**
 * There is no such session, or the token was never issued for it. The response does not use the session's
 * policy.
 */
export function sendInvalid({ services, request, response, texts }: PageVisit): void {
  const page = new PageVisit(services, request, response);
  page.say(404, texts.connect.invalidTitle, html`<p>${texts.connect.invalid}</p>`);
}
