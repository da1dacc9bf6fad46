import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Express, RequestHandler } from 'express';

/**
 * A part of the service that answers on Node's own request and response. What it took and finds not to be its after all it
 * hands back by `pass`.
 *
 * @returns false when the request is not its
 */
export type DirectHandler = (request: IncomingMessage, response: ServerResponse, pass: () => void) => boolean;

/** What happens to every request before anybody answers it. */
export type Preparation = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Asks the direct handlers first and express last: its routers and middleware cost more than all the rest of a hot read.
 * Requests of pages on other origins go through express whole, where the CORS headers are made (`asMiddleware`).
 */
export function frontDoor(
  app: Express,
  prepare: readonly Preparation[],
  direct: readonly DirectHandler[],
): RequestListener {
  return (request, response) => {
    for (const step of prepare) step(request, response);
    const pass = (): void => app(request, response);
    if (request.headers.origin === undefined && answeredAhead(direct, request, response, pass)) return;
    pass();
  };
}

/** The same handlers within express. */
export function asMiddleware(direct: readonly DirectHandler[]): RequestHandler {
  return (request, response, next) => {
    if (!answeredBy(direct, request, response, next)) next();
  };
}

/** A path that is not well encoded is left to express, where the same failure is answered. */
function answeredAhead(...parts: Parameters<typeof answeredBy>): boolean {
  try {
    return answeredBy(...parts);
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}

/** @throws URIError when the path is not well encoded */
function answeredBy(
  direct: readonly DirectHandler[],
  request: IncomingMessage,
  response: ServerResponse,
  pass: () => void,
): boolean {
  return direct.some((handle) => handle(request, response, pass));
}
