import { textField } from '../../html/fields.js';
import type { Html } from '../../html/html.js';
import { html } from '../../html/html.js';
import { messagePage } from '../../html/messagePage.js';
import { notice } from '../../html/notices.js';
import type { Page } from '../../html/renderPage.js';
import type { Locale } from '../../texts/locale.js';
import { textsFor } from '../../texts/textsFor.js';

interface FormView {
  locale: Locale;
  action: string;
  guard: Html;
  error?: string;
}

/** Asks for the e-mail address to which a link to set a new password is sent. */
export function forgotPage(view: FormView & { signInHref: string }): Page {
  const { recovery, signIn } = textsFor(view.locale);
  return {
    locale: view.locale,
    title: recovery.forgotTitle,
    isRefusal: view.error !== undefined,
    body: html`<div class="card">
<h1>${recovery.forgotTitle}</h1>
<p class="lead">${recovery.forgotLead}</p>
${view.error !== undefined && notice('error', html`<p>${view.error}</p>`)}
<form method="post" action="${view.action}">
${view.guard}
${textField({ name: 'email', label: signIn.email, type: 'email', autocomplete: 'username', focus: true })}
<div class="actions"><button>${recovery.forgotSubmit}</button></div>
</form>
<p class="aside"><a href="${view.signInHref}">${recovery.backToSignIn}</a></p>
</div>`,
  };
}

/** The page is the same whether the address has an account or not. */
export function forgotSentPage(
  locale: Locale,
  email: string,
  signInHref: string,
  mailbox: Html | false,
): Page {
  const { recovery } = textsFor(locale);
  return messagePage(
    locale,
    recovery.forgotSentTitle,
    html`<p>${recovery.forgotSent(email)}</p><p class="hint">${recovery.forgotNothing}</p>${mailbox}`,
    html`<p class="aside"><a href="${signInHref}">${recovery.backToSignIn}</a></p>`,
  );
}

export function resetPage(view: FormView & { email: string; token: string; passkey: Html }): Page {
  const { recovery, signUp } = textsFor(view.locale);
  return {
    locale: view.locale,
    title: recovery.resetTitle,
    isRefusal: view.error !== undefined,
    scripts: ['passkey.js'],
    body: html`<div class="card">
<h1>${recovery.resetTitle}</h1>
<p class="lead">${recovery.resetLead(view.email)}</p>
<form method="post" action="${view.action}">
${view.guard}
<input type="hidden" name="token" value="${view.token}">
<input type="hidden" name="email" value="${view.email}" autocomplete="username">
${view.passkey}
${textField({ name: 'password', label: recovery.newPassword, type: 'password', autocomplete: 'new-password', hint: signUp.passwordHint, focus: true, ...(view.error === undefined ? {} : { error: view.error }) })}
<div class="actions"><button>${recovery.resetSubmit}</button></div>
</form>
</div>`,
  };
}

/** The page for a link that was used, replaced or has expired. */
export function spentPage(locale: Locale, again: { href: string; label: string }): Page {
  const { recovery } = textsFor(locale);
  const way = html`<div class="actions"><a class="button" href="${again.href}">${again.label}</a></div>`;
  return messagePage(locale, recovery.spentTitle, html`<p>${recovery.spent}</p>`, way);
}
