import type { RequestHandler } from 'express';
import type { AccountServices } from '../../accounts/AccountServices.js';
import type { AccountSession } from '../../accounts/AccountSession.js';
import { SessionEnded } from '../../accounts/changeAccount.js';
import { html } from '../../html/html.js';
import { PageVisit } from '../../html/PageVisit.js';
import type { Page } from '../../html/renderPage.js';
import { readAccountSession, startAccountSession } from '../../oauth/accountSession.js';
import { afterLostForm } from './signInAgain.js';
import { timeZoneOf } from '../../http/timeZoneOf.js';

/** The binding of the sign-out form. */
export function signOutBinding(account: AccountSession): string {
  return `sign-out:${account.id}`;
}

/** Signs the person in, and leads on. */
export async function goOn(visit: PageVisit, accountId: string): Promise<void> {
  await startAccountSession(visit.services, visit.request, visit.response, accountId);
  visit.goTo(visit.returnTo);
}

/** A visit by a signed-in person. */
export class SignedInVisit extends PageVisit {
  readonly account: AccountSession;

  constructor(visit: PageVisit, account: AccountSession) {
    super(visit.services, visit.request, visit.response);
    this.account = account;
  }

  /** The time zone of times shown to the person. */
  get zone(): string | null {
    return timeZoneOf(this.request, this.account);
  }

  /** What the page says when the person signed in again because a change was not made. */
  get notMade(): string | undefined {
    return this.parameter('again') === undefined ? undefined : this.texts.account.notMade;
  }

  /** The signed-in person and a sign-out button that returns to `returnTo`. */
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
 * Runs a step for a signed-in person. Others must sign in first, also those whose session ends meanwhile.
 *
 * @param back the path to return to after the sign-in. Where a form was sent, its page then says that nothing
 *   was changed, if it can (`afterLostForm`)
 */
export function signedIn(
  services: AccountServices,
  step: SignedInStep,
  back: (visit: PageVisit) => string,
): RequestHandler {
  return async (request, response) => {
    const visit = new PageVisit(services, request, response);
    const account = await readAccountSession(services, request);
    const returnTo = request.method === 'POST' ? afterLostForm(back(visit)) : back(visit);
    if (account === undefined) return visit.signInFirst(returnTo);
    await orSignIn(visit, returnTo, () => step(new SignedInVisit(visit, account)));
  };
}

/** Sends the person to sign in again when the session ended while the work changed its account. */
export async function orSignIn(
  visit: PageVisit,
  returnTo: string,
  work: () => Promise<void> | void,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof SessionEnded)) throw error;
    visit.signInFirst(returnTo);
  }
}
