import type { Response } from 'express';
import type { ServiceError } from '../errors.js';
import { errorBody } from '../http/errorResponse.js';
import { BASIC_CHALLENGE } from './sendOauthError.js';

/**
 * Sends the service's `Error` body on an endpoint whose clients authenticate with HTTP Basic
 * (docs/contract.md#headers and #errors).
 */
export function sendErrorBody(response: Response, error: ServiceError): void {
  response.set({ 'Cache-Control': 'no-store', ...error.facts.accepts });
  if (error.code === 'unauthenticated') response.set('WWW-Authenticate', BASIC_CHALLENGE);
  if (error.code === 'insufficient_scope') response.set('WWW-Authenticate', insufficientScope(error));
  response.status(error.status).json(errorBody(error, response));
}

function insufficientScope(error: ServiceError): string {
  return `${BASIC_CHALLENGE}, error="insufficient_scope", scope="${(error.facts.missingScopes ?? []).join(' ')}"`;
}
