import type { Locale } from '../texts/locale.js';
import { textsFor } from '../texts/textsFor.js';
import type { Html } from './html.js';
import { html } from './html.js';

/** The form to sign in with a passkey. Its script shows it in browsers that support passkeys. */
export function passkeyForm(locale: Locale, guard: Html, returnTo: string): Html {
  const { account, signIn } = textsFor(locale);
  const action = `/sign-in/passkey?return_to=${encodeURIComponent(returnTo)}`;
  return html`<form method="post" action="${action}" data-passkey="get" data-options="/sign-in/passkey/options" hidden>${guard}
<input type="hidden" name="credential" value=""><p class="problem" role="alert" hidden>${account.passkeyRefused}</p>
<div class="actions"><button>${account.passkeySignIn}</button></div><p class="or">${signIn.or}</p></form>`;
}
