import type { Request, RequestHandler, Response } from 'express';
import type { AccountServices } from '../../accounts/AccountServices.js';
import type { AccountSession } from '../../accounts/AccountSession.js';
import { readAccountSession } from '../../oauth/accountSession.js';
import { sendOn } from '../../html/sendPage.js';

/** What a page does for a person who is signed in. */
export type SignedInStep = (
  services: AccountServices,
  request: Request,
  response: Response,
  account: AccountSession,
) => Promise<void>;

/**
 * Runs a step for whoever is signed in; everybody else signs in first.
 *
 * @param back the path that they come back to
 */
export function signedIn(
  services: AccountServices,
  step: SignedInStep,
  back: (request: Request) => string,
): RequestHandler {
  return async (request, response) => {
    const account = await readAccountSession(services, request);
    if (account !== undefined) return step(services, request, response, account);
    sendOn(response, `/sign-in?return_to=${encodeURIComponent(back(request))}`);
  };
}
