import { textField } from '../../html/fields.js';
import type { Html } from '../../html/html.js';
import { html } from '../../html/html.js';
import { notice } from '../../html/notices.js';
import type { Page } from '../../html/renderPage.js';
import type { Locale } from '../../texts/locale.js';
import { textsFor } from '../../texts/textsFor.js';

export interface SignUpView {
  locale: Locale;
  /** The form's action, which reads the fields `email` and `password`. */
  action: string;
  guard: Html;
  email?: string;
  /** Problems by field; `form` for those of neither field. */
  problems?: { email?: string; password?: string; form?: string };
  signInHref: string;
  /** The choice of a passkey, from `passkeyChoice`. */
  passkey: Html;
  /** Why the person creates an account; a general sentence when absent. */
  lead?: string;
}

/** The page to create an account with an e-mail address and a passkey or password. */
export function signUpPage(view: SignUpView): Page {
  const texts = textsFor(view.locale);
  const { email, password, form } = view.problems ?? {};
  const failed = view.problems !== undefined;
  return {
    locale: view.locale,
    title: texts.signUp.title,
    isRefusal: failed,
    scripts: ['passkey.js'],
    body: html`<div class="card">
<h1>${texts.signUp.title}</h1>
<p class="lead">${view.lead ?? texts.signUp.lead}</p>
${form !== undefined && notice('error', html`<p>${form}</p>`)}
<form method="post" action="${view.action}">
${view.guard}
${textField({ name: 'email', label: texts.signIn.email, type: 'email', autocomplete: 'username', value: view.email ?? '', ...(email === undefined ? {} : { error: email }), focus: !failed || email !== undefined })}
${view.passkey}
${textField({ name: 'password', label: texts.signIn.password, type: 'password', autocomplete: 'new-password', hint: texts.signUp.passwordHint, ...(password === undefined ? {} : { error: password }), focus: email === undefined && password !== undefined })}
<div class="actions"><button>${texts.signUp.submit}</button></div>
</form>
<p class="aside">${texts.signUp.haveAccount} <a href="${view.signInHref}">${texts.signUp.signIn}</a></p>
</div>`,
  };
}
