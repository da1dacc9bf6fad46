import type { ServiceError } from '../src/errors.js';
import type { RestResponse } from './handleRequest.js';

/** A refusal as `/v1` shows it: the Error body and the headers that belong to its status. */
export function errorResponse(error: ServiceError, requestId: string): RestResponse {
  const { code, status, facts } = error;
  // An unknown route, an unknown id and an id of another app cannot be told apart (decisions 4).
  const message = code === 'not_found' ? 'There is nothing here.' : error.message;
  const details = facts.details === undefined ? {} : { details: facts.details };
  return {
    status,
    headers: errorHeaders(error),
    body: JSON.stringify({ error: { code, message, request_id: requestId, ...details } }),
  };
}

/** Headers of a refusal, the same behind both doors. */
export function errorHeaders({ code, status, facts }: ServiceError): Record<string, string> {
  const headers: Record<string, string> = { ...facts.rateLimit };
  if (status === 401) headers['WWW-Authenticate'] = 'Bearer realm="partner-consent-profile-service"';
  if (code === 'insufficient_scope') {
    headers['WWW-Authenticate'] =
      `Bearer realm="partner-consent-profile-service", error="insufficient_scope", scope="${(facts.missingScopes ?? []).join(' ')}"`;
  }
  const retryAfter = facts.retryAfterSeconds ?? (status === 429 || status === 503 ? 1 : undefined);
  if (retryAfter !== undefined) headers['Retry-After'] = String(Math.ceil(retryAfter));
  if (code === 'payload_too_large') headers['Connection'] = 'close';
  if (facts.allow !== undefined) headers['Allow'] = facts.allow.join(', ');
  return headers;
}
