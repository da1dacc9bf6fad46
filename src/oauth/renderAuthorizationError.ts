import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { html } from '../http/pages/html.js';
import { messagePage } from '../http/pages/messagePage.js';
import { pageHeaders } from '../http/pages/pageHeaders.js';
import { renderPage } from '../http/pages/renderPage.js';
import { localeOf, textsFor } from '../http/texts/textsFor.js';

/** An authorization request that is so wrong that the browser cannot be sent back to whoever made it. */
export function renderAuthorizationError(ctx: KoaContextWithOIDC, out: ErrorOut): void {
  const locale = localeOf(ctx.get('accept-language'));
  const { authorize } = textsFor(locale);
  const reason = html`<p><code>${out.error}</code> ${out.error_description}</p>`;
  const page = messagePage(locale, authorize.errorTitle, html`<p>${authorize.error}</p>`, reason);
  ctx.set({ ...pageHeaders(), 'Content-Language': locale, Vary: 'Accept-Language' });
  ctx.type = 'html';
  ctx.body = renderPage(page);
}
