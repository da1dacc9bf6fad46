import type { Request, Response } from 'express';
import type { AccountSession } from '../../accounts/AccountSession.js';
import { formToken } from '../../html/formGuard.js';
import type { Html } from '../../html/html.js';
import { html } from '../../html/html.js';
import type { Page } from '../../html/renderPage.js';
import type { AccountServices } from '../../accounts/AccountServices.js';
import type { Locale } from '../../texts/textsFor.js';
import { textsFor } from '../../texts/textsFor.js';

/** What the sign-out form is bound to. */
export function signOutBinding(session: AccountSession): string {
  return `sign-out:${session.id}`;
}

/** Who is signed in, with the button that signs out and comes back to `returnTo`. */
export function accountBar(
  services: AccountServices,
  request: Request,
  response: Response,
  locale: Locale,
  session: AccountSession,
  returnTo: string,
): NonNullable<Page['account']> {
  const guard = formToken(services, request, response, signOutBinding(session));
  return { email: session.email, href: '/account', signOut: signOutForm(locale, guard, returnTo) };
}

function signOutForm(locale: Locale, guard: Html, returnTo: string): Html {
  const action = `/sign-out?return_to=${encodeURIComponent(returnTo)}`;
  return html`<form method="post" action="${action}">${guard}<button class="quiet small">${textsFor(locale).common.signOut}</button></form>`;
}
