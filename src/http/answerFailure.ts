import type { NextFunction, Request, Response } from 'express';
import { describeError, isOurFault } from '../access/describeError.js';
import { ServiceError } from '../errors.js';
import type { Services } from '../Services.js';
import { refuseWith } from './unknownRoute.js';

/** Answers errors that no router handled: malformed URLs and our own faults. */
export function answerFailure(services: Services) {
  return (error: unknown, _request: Request, response: Response, next: NextFunction): void => {
    if (response.headersSent) return next(error);
    const described = describeError(error);
    if (isOurFault(described) && !(error instanceof URIError))
      services.log.error({ err: error, request_id: response.getHeader('X-Request-Id') }, 'request failed');
    refuseWith(
      response,
      error instanceof URIError ? new ServiceError('invalid_request', 'The path is not valid.') : described,
    );
  };
}
