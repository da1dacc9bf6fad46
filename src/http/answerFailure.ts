import type { NextFunction, Request, Response } from 'express';
import { ServiceError } from '../errors.js';
import type { Services } from '../Services.js';
import { describeFailure } from './describeFailure.js';
import { refuseWith } from './unknownRoute.js';

/** Answers errors that no router handled: malformed URLs and our own faults. */
export function answerFailure(services: Services) {
  return (error: unknown, _request: Request, response: Response, next: NextFunction): void => {
    if (response.headersSent) return next(error);
    const failure =
      error instanceof URIError ? new ServiceError('invalid_request', 'The path is not valid.') : error;
    refuseWith(response, describeFailure(services.log, response, failure));
  };
}
