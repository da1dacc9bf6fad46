import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import type { SecretBox } from '../domain/SecretBox.js';
import { readCookie, setCookie } from '../http/cookies.js';
import type { Html } from './html.js';
import { html } from './html.js';

const COOKIE = 'form_guard';
const FIELD = 'form_token';

/** What the guard needs of the service. */
export interface GuardServices {
  secrets: SecretBox;
  config: { baseUrl: string };
}

/**
 * Cross-site request forgery: a signed double submit (OWASP). A random HttpOnly cookie per browser, and in
 * each form its keyed digest, bound to what the form is for and to whoever is signed in, so that a token
 * fetched by another person or from another form does not fit.
 *
 * @param binding what the form belongs to: an account's session, a connection session; the same when it is
 *   checked
 * @returns the hidden field to print inside the form
 */
export function formToken(
  services: GuardServices,
  request: Request,
  response: Response,
  binding: string,
): Html {
  const cookie = readCookie(request, COOKIE) ?? newGuard(services, request, response);
  return html`<input type="hidden" name="${FIELD}" value="${services.secrets.mac('form', `${cookie}\0${binding}`)}" />`;
}

/**
 * Whether a posted form came from a page of ours in this browser. `Origin` is no help: under
 * `Referrer-Policy: no-referrer` browsers send `null` (Fetch, "append a request Origin header"), so
 * `Sec-Fetch-Site` is asked instead where there is one.
 */
export function isOwnForm(services: GuardServices, request: Request, binding: string): boolean {
  const site = request.get('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin') return false;
  const cookie = readCookie(request, COOKIE);
  const body: unknown = request.body;
  if (cookie === undefined || typeof body !== 'object' || body === null || !(FIELD in body)) return false;
  const token: unknown = body[FIELD];
  return typeof token === 'string' && services.secrets.verifyMac('form', `${cookie}\0${binding}`, token);
}

/** One value per answer, so that several forms on one page share the cookie. */
function newGuard(services: GuardServices, request: Request, response: Response): string {
  const value = randomBytes(32).toString('base64url');
  setCookie(services.config.baseUrl, response, COOKIE, value, { path: '/' });
  request.headers.cookie = [request.headers.cookie, `${COOKIE}=${value}`].filter(Boolean).join('; ');
  return value;
}
