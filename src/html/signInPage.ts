import type { Locale } from '../texts/locale.js';
import { textsFor } from '../texts/textsFor.js';
import { textField } from './fields.js';
import type { Html } from './html.js';
import { html } from './html.js';
import { notice } from './notices.js';
import { passkeyForm } from './passkeyForm.js';
import type { Page } from './renderPage.js';

export interface SignInView {
  locale: Locale;
  /** The form's action, which reads the fields `email` and `password`. */
  action: string;
  /** The form guard's hidden field, from `formToken`. */
  guard: Html;
  /** Where the person goes once signed in. */
  returnTo: string;
  /** Why the person signs in; a general sentence when absent. */
  lead?: string | undefined;
  /** The e-mail address typed before a failure. */
  email?: string | undefined;
  error?: string | undefined;
  /** The page that creates an account; no link when absent. */
  signUpHref?: string;
  /** The page that mails a link to set a new password. */
  forgotHref: string;
  /**
   * An upstream OpenID provider. `action` is for POST, so that a link on another site cannot start a sign-in.
   */
  upstream?: { label: string; action: string } | undefined;
}

/** The page to sign in with e-mail address and password, a passkey, or the upstream provider. */
export function signInPage(view: SignInView): Page {
  const texts = textsFor(view.locale);
  const failed = view.error !== undefined;
  return {
    locale: view.locale,
    title: texts.signIn.title,
    isRefusal: failed,
    scripts: ['passkey.js'],
    body: html`<div class="card">
<h1>${texts.signIn.title}</h1>
<p class="lead">${view.lead ?? texts.signIn.lead}</p>
${view.error !== undefined && notice('error', html`<p>${view.error}</p>`)}
<form method="post" action="${view.action}">
${view.guard}
${textField({ name: 'email', label: texts.signIn.email, type: 'email', autocomplete: 'username', value: view.email ?? '', focus: !failed })}
${textField({ name: 'password', label: texts.signIn.password, type: 'password', autocomplete: 'current-password', focus: failed })}
<div class="actions"><button>${texts.signIn.submit}</button></div>
</form>
${passkeyForm(view.locale, view.guard, view.returnTo)}
<p><a class="alone" href="${view.forgotHref}">${texts.recovery.forgot}</a></p>
${view.upstream && upstreamForm(view, view.upstream)}
${view.signUpHref !== undefined && html`<p class="aside">${texts.signIn.noAccount} <a href="${view.signUpHref}">${texts.signIn.createAccount}</a></p>`}
</div>`,
  };
}

function upstreamForm(view: SignInView, upstream: { label: string; action: string }): Html {
  const { signIn } = textsFor(view.locale);
  return html`<p class="or">${signIn.or}</p>
<form method="post" action="${upstream.action}">${view.guard}<div class="actions"><button class="quiet">${signIn.upstream(upstream.label)}</button></div></form>`;
}
