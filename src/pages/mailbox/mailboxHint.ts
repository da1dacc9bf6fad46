import type { Locale } from '../../texts/locale.js';
import { textsFor } from '../../texts/textsFor.js';
import type { Html } from '../../html/html.js';
import { html } from '../../html/html.js';

/** A link to the development mailbox, for pages that mention a mail. */
export function mailboxHint(config: { mailbox: boolean }, locale: Locale): Html | false {
  if (!config.mailbox) return false;
  const { recovery } = textsFor(locale);
  return html`<p class="notice info">${recovery.mailbox} <a href="/dev/mailbox" target="_blank">${recovery.mailboxOpen}</a></p>`;
}
