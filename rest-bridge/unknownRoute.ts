import type { Request, Response } from 'express';
import { ServiceError } from '../src/errors.js';
import { requestIdOf, send } from './bridgeRouter.js';
import { errorResponse } from './errorResponse.js';

/** What is left over: a 404 that tells nothing else. */
export function unknownRoute(_request: Request, response: Response): void {
  refuseWith(response, new ServiceError('not_found', 'There is nothing here.'));
}

/** Answers with an error in the house's shape. */
export function refuseWith(response: Response, error: ServiceError): void {
  send(response, errorResponse(error, requestIdOf(response)));
}
