import type { ServerResponse } from 'node:http';
import { documentationUrl } from '../errors.js';
import type { ServiceError } from '../errors.js';
import { notesOf } from './requestNotes.js';
import type { RestResponse } from './send.js';

/** An error in the format of `/v1`: the Error body and the headers of its status. */
export function errorResponse(error: ServiceError, response: ServerResponse): RestResponse {
  notesOf(response).code = error.code;
  return {
    status: error.status,
    headers: errorHeaders(error),
    body: JSON.stringify(errorBody(error, response)),
  };
}

/** The Error body (docs/contract.md#errors). */
export function errorBody({ code, message, facts }: ServiceError, response: ServerResponse): object {
  const { detailsOmitted } = facts;
  const pageOf = (one: string): string => documentationUrl(notesOf(response).baseUrl, one);
  const details = facts.details?.map((detail) => ({ ...detail, documentation_url: pageOf(detail.code) }));
  return {
    error: {
      code,
      // Unknown routes, unknown ids and ids of other apps get the same message.
      message: code === 'not_found' ? 'There is nothing here.' : message,
      request_id: notesOf(response).requestId,
      documentation_url: pageOf(code),
      ...(details === undefined ? {} : { details }),
      ...(detailsOmitted === undefined ? {} : { details_omitted: detailsOmitted }),
    },
  };
}

/** The challenge of a 401 (RFC 6750, 3). */
export const BEARER_CHALLENGE = 'Bearer realm="partner-consent-profile-service"';

/** Headers of an error, the same for GraphQL and REST. */
export function errorHeaders({ code, status, facts }: ServiceError): Record<string, string> {
  const headers: Record<string, string> = { ...facts.rateLimit, ...facts.accepts };
  if (status === 401)
    headers['WWW-Authenticate'] = facts.invalidToken
      ? `${BEARER_CHALLENGE}, error="invalid_token"`
      : BEARER_CHALLENGE;
  if (code === 'insufficient_scope') {
    const scopes = (facts.missingScopes ?? []).join(' ');
    headers['WWW-Authenticate'] = `${BEARER_CHALLENGE}, error="insufficient_scope", scope="${scopes}"`;
  }
  const retryAfter = facts.retryAfterSeconds ?? (status === 429 || status === 503 ? 1 : undefined);
  if (retryAfter !== undefined) headers['Retry-After'] = String(Math.ceil(retryAfter));
  if (code === 'payload_too_large') headers['Connection'] = 'close';
  if (facts.allow !== undefined) headers['Allow'] = facts.allow.join(', ');
  return headers;
}
