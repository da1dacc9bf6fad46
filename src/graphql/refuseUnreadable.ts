import type { NextFunction, Request, Response } from 'express';
import { describeError } from '../access/describeError.js';
import { ServiceError } from '../errors.js';
import { bodyTooLarge } from '../http/bodyTooLarge.js';
import type { Services } from '../Services.js';
import { refuseFailure } from './refuse.js';

/** Largest body of an operation, in bytes. */
export const BODY_LIMIT = 4 * 1024 * 1024;

/** What fails before GraphQL begins: a body that cannot be read, or a credential that cannot be verified just now. */
export function refuseUnreadable(services: Services) {
  return (error: unknown, _request: Request, response: Response, _next: NextFunction): void => {
    refuseFailure(services, response, problemOfBody(error) ?? describeError(error), error);
  };
}

function problemOfBody(error: unknown): ServiceError | undefined {
  if (!(error instanceof Error) || error instanceof ServiceError) return undefined;
  const type = 'type' in error ? String(error.type) : '';
  if (type === 'entity.too.large') return bodyTooLarge(BODY_LIMIT);
  if (/^(charset|encoding)\.unsupported$/.test(type))
    return new ServiceError('unsupported_media_type', 'The body must be JSON in UTF-8.');
  // Bytes that are not compressed as announced fail in zlib, whose errors have no type; body-parser marks them with 400.
  const unreadable = type !== '' || ('status' in error && error.status === 400);
  return unreadable ? new ServiceError('invalid_request', 'The body is not valid JSON.') : undefined;
}
