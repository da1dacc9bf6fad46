import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { html } from '../html/html.js';
import { messagePage } from '../html/messagePage.js';
import { pageHeaders } from '../html/pageHeaders.js';
import { renderPage } from '../html/renderPage.js';
import { localeOfRequest } from '../http/localeOfRequest.js';
import { textsFor } from '../texts/textsFor.js';

/**
 * Answers an authorization request whose error cannot be sent to a redirect URI. Browsers, which name HTML in
 * `Accept`, get a page; programs get the format of RFC 6749 (docs/contract.md#errors).
 */
export function renderAuthorizationError(ctx: KoaContextWithOIDC, out: ErrorOut): void {
  ctx.vary('Accept');
  if (ctx.accepts('json', 'html') !== 'html') {
    ctx.body = out;
    return;
  }
  const locale = localeOfRequest(ctx.req);
  const { authorize, signIn } = textsFor(locale);
  const reason = html`<p><code>${out.error}</code> ${out.error_description}</p>`;
  const minutes = Math.ceil(Number(ctx.response.get('Retry-After')) / 60);
  const page =
    ctx.status === 429
      ? messagePage(locale, authorize.errorTitle, html`<p>${signIn.tooMany(minutes)}</p>`)
      : messagePage(locale, authorize.errorTitle, html`<p>${authorize.error}</p>`, reason);
  ctx.vary('Accept-Language');
  ctx.set({ ...pageHeaders(), 'Content-Language': locale });
  ctx.body = renderPage(page);
}
