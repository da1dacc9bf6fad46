import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Express } from 'express';
import { crossOrigin } from './crossOrigin.js';
import type { Lifecycle } from './Lifecycle.js';

/**
 * A part of the service that answers on Node's request and response.
 *
 * @returns false when the request belongs to another part
 */
export type DirectHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Runs on every request before a handler answers it. */
export type Preparation = (request: IncomingMessage, response: ServerResponse) => void;

export interface FrontDoorParts {
  prepare: readonly Preparation[];
  direct: readonly DirectHandler[];
  lifecycle: Lifecycle;
}

/**
 * Calls the direct handlers first and Express last: Express's routers and middleware cost more than the rest
 * of a frequent read.
 */
export function frontDoor(app: Express, { prepare, direct, lifecycle }: FrontDoorParts): RequestListener {
  return (request, response) => {
    // The client must not send its next request on a connection that is about to close.
    if (lifecycle.draining) response.shouldKeepAlive = false;
    for (const step of prepare) step(request, response);
    const answer = (): void => {
      if (!direct.some((handle) => handle(request, response))) app(request, response);
    };
    if (request.headers.origin === undefined) answer();
    else crossOrigin(request, response, answer);
  };
}
