import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestIdFrom } from '../domain/requestId.js';

/** Gives every request its correlation id, before anything else can answer. */
export function requestId(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('X-Request-Id', requestIdFrom(request.headers['x-request-id'] as string | undefined));
}

/** The correlation id that `requestId` gave. */
export function requestIdOf(response: ServerResponse): string {
  return String(response.getHeader('X-Request-Id') ?? '');
}
