import type { Scope } from '../domain/scopes.js';
import type { Locale } from '../texts/locale.js';
import { textsFor } from '../texts/textsFor.js';
import type { Html } from './html.js';
import { html } from './html.js';
import type { Page } from './renderPage.js';

export interface AuthorizeView {
  locale: Locale;
  appName: string;
  /** The client, if it is not the app itself. */
  clientName?: string;
  scopes: readonly Scope[];
  /** Whether the client requests the person's e-mail address. */
  email: boolean;
  /** The redirect URI; its origin is shown. */
  redirectUri: string;
  /** The form's action, which reads the fields `decision` (`allow` or `deny`) and `scopes` (those shown). */
  action: string;
  guard: Html;
  account: { email: string; signOut: Html };
}

/** Asks a person whether a client may act with these scopes. */
export function authorizePage(view: AuthorizeView): Page {
  const { authorize, scopes } = textsFor(view.locale);
  const client = view.clientName ?? view.appName;
  return {
    locale: view.locale,
    title: authorize.title(client),
    account: view.account,
    body: html`<div class="card">
<h1>${authorize.title(client)}</h1>
<p class="lead">${authorize.lead(client)}</p>
<ul class="rights">${!view.email && view.scopes.length === 0 && html`<li>${authorize.identity} <code>openid</code></li>`}${view.email && html`<li>${authorize.email} <code>email</code></li>`}${view.scopes.map((scope) => html`<li>${scopes[scope]} <code>${scope}</code></li>`)}</ul>
<p>${authorize.reach(view.appName)}</p>
<p class="hint">${authorize.afterwards(targetOf(view.redirectUri))}</p>
<form method="post" action="${view.action}">
${view.guard}
<input type="hidden" name="scopes" value="${view.scopes.join(' ')}" />
<div class="actions">
<button name="decision" value="allow">${authorize.allow}</button>
<button name="decision" value="deny" class="quiet">${authorize.deny}</button>
</div>
</form>
</div>`,
  };
}

function targetOf(redirectUri: string): string {
  const url = new URL(redirectUri);
  return url.protocol.startsWith('http') ? url.origin : url.protocol;
}
