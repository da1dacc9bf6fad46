import type { Locale } from '../texts/locale.js';
import { textsFor } from '../texts/textsFor.js';
import { assetPath } from './assets.js';
import type { Html } from './html.js';
import { html, trusted } from './html.js';

export interface Page {
  locale: Locale;
  title: string;
  /** Whether what was sent was refused. The title begins with it, as it is what screen readers read first. */
  isRefusal?: boolean;
  body: Html;
  /** `wide` for lists, `full` for GraphiQL, `narrow` (default) for a single task. */
  width?: 'narrow' | 'wide' | 'full';
  /** The signed-in person, shown next to a sign-out button. */
  account?: { email: string; href?: string; signOut: Html };
  /** Additions to the common head. */
  head?: Html;
  /** Names of scripts in `src/html/assets/` that enhance the page. It works without them. */
  scripts?: readonly string[];
}

const MARK = trusted(
  '<svg class="mark" viewBox="0 0 32 20" width="32" height="20" aria-hidden="true" focusable="false"><circle cx="10" cy="10" r="8.5"/><circle cx="22" cy="10" r="8.5"/></svg>',
);

function nameOf({ email, href }: NonNullable<Page['account']>): Html {
  return href === undefined
    ? html`<span class="email">${email}</span>`
    : html`<a class="email" href="${href}">${email}</a>`;
}

/** A complete page in the common layout, without inline styles or scripts. */
export function renderPage(page: Page): string {
  const texts = textsFor(page.locale);
  const title = page.isRefusal === true ? `${texts.common.errorPrefix} ${page.title}` : page.title;
  return html`<!doctype html>
    <html lang="${page.locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title} · ${texts.common.serviceName}</title>
        <link rel="icon" href="${assetPath('icon.svg')}" type="image/svg+xml" />
        <link rel="stylesheet" href="${assetPath('pages.css')}" />
        ${['zone.js', 'forget.js', 'once.js', ...(page.scripts ?? [])].map((name) => html`<script src="${assetPath(name)}" defer></script>`)}
        ${page.head}
      </head>
      <body class="${page.width ?? 'narrow'}">
        <a class="skip" href="#main">${texts.common.skipToContent}</a>
        <header class="site">
          <span class="brand">${MARK}${texts.common.serviceName}</span>
          ${page.account && html`<div class="who">${nameOf(page.account)}${page.account.signOut}</div>`}
        </header>
        <main id="main" class="${page.width ?? 'narrow'}" tabindex="-1">${page.body}</main>
        <footer class="site"><p>${texts.common.footer}</p></footer>
      </body>
    </html> `.text;
}
