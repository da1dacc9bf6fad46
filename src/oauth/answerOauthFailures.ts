import type { ErrorRequestHandler, Request, Response } from 'express';
import { describeError, isOurFault } from '../access/describeError.js';
import { ServiceError } from '../errors.js';
import { localeOfRequest } from '../http/localeOfRequest.js';
import { html } from '../html/html.js';
import { messagePage } from '../html/messagePage.js';
import { sendPage } from '../html/sendPage.js';
import { textsFor } from '../texts/textsFor.js';
import { notesOf } from '../http/requestNotes.js';
import type { AccountServices } from '../accounts/AccountServices.js';
import { reasonOf } from './oauthReader.js';
import { sendOauthError } from './sendOauthError.js';

const CLIENTS = ['/oauth/token', '/oauth/revoke', '/oauth/userinfo'];
const PEOPLE = /^\/oauth\/(authorize|interaction|upstream)(\/|$)/;

/**
 * Answers failures in the caller's format: RFC 6749 for OAuth clients, a page for people, otherwise the
 * service's error body.
 */
export function answerOauthFailures({ log }: AccountServices): ErrorRequestHandler {
  return (failure: unknown, request, response, next) => {
    const error = reasonOf(failure);
    const forClient = CLIENTS.includes(request.path) || isProgram(request);
    if (response.headersSent || !(forClient || PEOPLE.test(request.path))) return next(error);
    const described = isUnreadableForm(error) ? undefined : describeError(error);
    if (described !== undefined && isOurFault(described))
      log.error({ err: error, request_id: response.getHeader('X-Request-Id') }, 'An OAuth request failed');
    if (forClient) return tellClient(response, described);
    return tellPerson(request, response, described);
  };
}

/** Whether the caller of `/oauth/authorize` is no browser, which would ask for HTML by name. */
function isProgram(request: Request): boolean {
  return request.path === '/oauth/authorize' && request.accepts(['json', 'html']) !== 'html';
}

function tellClient(response: Response, described: ServiceError | undefined): void {
  const status = described?.status ?? 400;
  if (status === 503) response.set('Retry-After', '1');
  const error =
    status === 503 ? 'temporarily_unavailable' : status >= 500 ? 'server_error' : 'invalid_request';
  sendOauthError(response, { status, error, description: described?.message ?? 'The form cannot be read.' });
}

function tellPerson(request: Request, response: Response, described: ServiceError | undefined): void {
  const locale = localeOfRequest(request);
  const { errors } = textsFor(locale);
  if (described === undefined || described.code === 'invalid_request')
    return sendPage(response, 400, messagePage(locale, errors.formTitle, html`<p>${errors.form}</p>`));
  const requestId = html`<p><code>${notesOf(response).requestId}</code></p>`;
  if (described.status === 503) response.set('Retry-After', '1');
  sendPage(
    response,
    described.status,
    messagePage(locale, errors.brokenTitle, html`<p>${errors.broken}</p>`, requestId),
  );
}

/** Whether the body is too large, incomplete or not a form: status 400 here (RFC 6749, 5.2). */
function isUnreadableForm(error: unknown): boolean {
  if (error instanceof ServiceError) return error.code === 'payload_too_large';
  if (!(error instanceof Error)) return false;
  return Number((error as { status?: unknown }).status) < 500;
}
