import type { NextFunction, Request, Response } from 'express';
import { describeError, isOurFault } from '../access/describeError.js';
import { ServiceError } from '../errors.js';
import { requestIdOf } from '../http/requestId.js';
import type { Services } from '../Services.js';
import { refuse } from './refuse.js';

/** Largest body of an operation, in bytes. */
export const BODY_LIMIT = 4 * 1024 * 1024;

/** What fails before GraphQL begins: a body that cannot be read, or a credential that cannot be verified just now. */
export function refuseUnreadable(services: Services) {
  return (error: unknown, _request: Request, response: Response, _next: NextFunction): void => {
    const described = problemOfBody(error) ?? describeError(error);
    if (isOurFault(described)) services.log.error({ err: error, request_id: requestIdOf(response) }, 'request failed');
    refuse(response, described);
  };
}

function problemOfBody(error: unknown): ServiceError | undefined {
  const type = error instanceof Error && 'type' in error ? String(error.type) : '';
  if (type === 'entity.too.large')
    return new ServiceError('payload_too_large', `The body must not be larger than ${BODY_LIMIT} bytes.`);
  if (/^(charset|encoding)\.unsupported$/.test(type))
    return new ServiceError('unsupported_media_type', 'The body must be JSON in UTF-8.');
  return type === '' ? undefined : new ServiceError('invalid_request', 'The body is not valid JSON.');
}
