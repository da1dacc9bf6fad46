import type { Locale } from '../texts/locale.js';
import type { Printable } from './html.js';
import { html } from './html.js';
import type { Page } from './renderPage.js';

/** A page with only a message and the next steps. */
export function messagePage(locale: Locale, title: string, body: Printable, after?: Printable): Page {
  return {
    locale,
    title,
    body: html`<div class="card">
<h1>${title}</h1>
${body}
${after}
</div>`,
  };
}
