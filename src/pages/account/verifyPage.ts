import { textField } from '../../html/fields.js';
import type { Html } from '../../html/html.js';
import { html } from '../../html/html.js';
import { notice } from '../../html/notices.js';
import type { Page } from '../../html/renderPage.js';
import type { Locale } from '../../texts/locale.js';
import { textsFor } from '../../texts/textsFor.js';

export interface VerifyView {
  locale: Locale;
  account: NonNullable<Page['account']>;
  email: string;
  guard: Html;
  /** The secret of the opened link; without it the page asks for the code. */
  token?: string;
  error?: string;
  /** The code was mailed to a new address; a further mail is requested on the account page. */
  isChange?: boolean;
  /** Another mail was just requested. */
  sent?: boolean;
  mailbox: Html | false;
}

/**
 * The page to verify an address: one button if the link was opened, else a field for the code from the mail.
 */
export function verifyPage(view: VerifyView): Page {
  const { recovery } = textsFor(view.locale);
  const { error, token, email } = view;
  return {
    locale: view.locale,
    title: recovery.verifyTitle,
    isRefusal: error !== undefined,
    account: view.account,
    body: html`<div class="card">
<h1>${recovery.verifyTitle}</h1>
${view.sent === true && notice('success', html`<p>${recovery.sentAgain(email)}</p>`)}
<p class="lead">${token === undefined ? recovery.verifyLead(email) : recovery.verifyLinkLead(email)}</p>
<form method="post" action="/verify-address">
${view.guard}
${token === undefined ? codeField(view.locale, email, error) : html`<input type="hidden" name="token" value="${token}">`}
<div class="actions"><button>${recovery.verifySubmit}</button></div>
</form>
${view.isChange !== true && html`<p class="hint">${recovery.verifyWhy}</p>`}
${token === undefined && view.isChange !== true && html`<form method="post" action="/verify-address/send" class="aside">${view.guard}<button class="quiet small">${recovery.sendAgain}</button></form>`}
${view.mailbox}
</div>`,
  };
}

/**
 * The field for the code from the mail. Browsers and phones that see the mail suggest it (`one-time-code`).
 */
export function codeField(locale: Locale, email: string, error?: string, optional = false): Html {
  const { recovery } = textsFor(locale);
  return textField({
    name: 'code',
    label: recovery.code,
    type: 'code',
    autocomplete: 'one-time-code',
    hint: recovery.codeHint(email),
    optional,
    ...(error === undefined ? {} : { error }),
  });
}
