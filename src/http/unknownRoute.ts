import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError } from '../errors.js';
import { errorResponse } from './errorResponse.js';
import { send } from './send.js';

/** Answers 404 to a request that matched no route. */
export function unknownRoute(_request: IncomingMessage, response: ServerResponse): void {
  refuseWith(response, new ServiceError('not_found', 'There is nothing here.'));
}

/** Answers 405 at a path that has these methods. What is read by GET answers HEAD too. */
export function refuseMethod(response: ServerResponse, methods: Iterable<string>): void {
  const allow = [...methods].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method));
  refuseWith(
    response,
    new ServiceError('method_not_allowed', 'This path does not know the method.', { allow }),
  );
}

/** Answers with an error in the service's error format. */
export function refuseWith(response: ServerResponse, error: ServiceError): void {
  send(response, errorResponse(error, response));
}
