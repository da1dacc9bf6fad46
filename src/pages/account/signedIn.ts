import type { RequestHandler } from 'express';
import type { AccountServices } from '../../accounts/AccountServices.js';
import type { AccountSession } from '../../accounts/AccountSession.js';
import { html } from '../../html/html.js';
import { PageVisit } from '../../html/PageVisit.js';
import type { Page } from '../../html/renderPage.js';
import { readAccountSession } from '../../oauth/accountSession.js';
import { timeZoneOf } from './timeZoneOf.js';

/** What the sign-out form is bound to. */
export function signOutBinding(account: AccountSession): string {
  return `sign-out:${account.id}`;
}

/** A visit of a person who is signed in. */
export class SignedInVisit extends PageVisit {
  readonly account: AccountSession;

  constructor(visit: PageVisit, account: AccountSession) {
    super(visit.services, visit.request, visit.response);
    this.account = account;
  }

  /** The zone in which the person reads times. */
  get zone(): string | null {
    return timeZoneOf(this.request, this.account);
  }

  /** Who is signed in, with the button that signs out and comes back to `returnTo`. */
  bar(returnTo: string): NonNullable<Page['account']> {
    const action = `/sign-out?return_to=${encodeURIComponent(returnTo)}`;
    const guard = this.guard(signOutBinding(this.account));
    const button = html`<button class="quiet small">${this.texts.common.signOut}</button>`;
    const signOut = html`<form method="post" action="${action}">${guard}${button}</form>`;
    return { email: this.account.email, href: '/account', signOut };
  }
}

export type SignedInStep = (visit: SignedInVisit) => Promise<void> | void;

/**
 * Runs a step for whoever is signed in; everybody else signs in first.
 *
 * @param back the path that they come back to
 */
export function signedIn(
  services: AccountServices,
  step: SignedInStep,
  back: (visit: PageVisit) => string,
): RequestHandler {
  return async (request, response) => {
    const visit = new PageVisit(services, request, response);
    const account = await readAccountSession(services, request);
    if (account === undefined) return visit.signInFirst(back(visit));
    await step(new SignedInVisit(visit, account));
  };
}
