import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import type { SecretBox } from '../domain/SecretBox.js';
import { readCookie, setCookie } from '../http/cookies.js';
import type { Html } from './html.js';
import { html } from './html.js';

const COOKIE = 'form_guard';
const FIELD = 'form_token';

/** Dependencies of the guard. */
export interface GuardServices {
  secrets: SecretBox;
  config: { baseUrl: string };
}

/**
 * Protection against cross-site request forgery by a signed double submit (OWASP). Each browser has a random
 * HttpOnly cookie. Each form has a keyed digest of the cookie and the binding, so that a token of another
 * person or another form is invalid.
 *
 * @param binding what the form belongs to: an account's session, a connection session; the same value must be
 *   used for the check
 * @returns the hidden field of the form
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
 * Whether a posted form came from a page of this service in this browser. `Origin` cannot tell: with
 * `Referrer-Policy: no-referrer` browsers send `null` (Fetch, "append a request Origin header").
 * `Sec-Fetch-Site` is checked where the browser sends it.
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

/** One value per response, so that several forms on one page share the cookie. */
function newGuard(services: GuardServices, request: Request, response: Response): string {
  const value = randomBytes(32).toString('base64url');
  setCookie(services.config.baseUrl, response, COOKIE, value, { path: '/' });
  request.headers.cookie = [request.headers.cookie, `${COOKIE}=${value}`].filter(Boolean).join('; ');
  return value;
}
