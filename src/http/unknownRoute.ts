import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError } from '../errors.js';
import { errorResponse } from './errorResponse.js';
import { send } from './send.js';

/** Answers 404 to a request that matched no route. */
export function unknownRoute(_request: IncomingMessage, response: ServerResponse): void {
  refuseWith(response, new ServiceError('not_found', 'There is nothing here.'));
}

/** Answers with an error in the service's error format. */
export function refuseWith(response: ServerResponse, error: ServiceError): void {
  send(response, errorResponse(error, response));
}
