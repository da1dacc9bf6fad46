import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Express } from 'express';
import { ServiceError } from '../errors.js';
import { crossOrigin } from './crossOrigin.js';
import type { Lifecycle } from './Lifecycle.js';
import { closeWith } from './closeWith.js';
import { closeAfter, lastAnswer, noteWaiting } from './lastAnswer.js';
import { refuseWith } from './unknownRoute.js';

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
    const isWaiting = response.socket === null;
    // The client must not send its next request on a connection that is about to close.
    if (lifecycle.draining && !closeAfter(response, isWaiting ? lastAnswer(request.socket) : undefined))
      return void request.resume();
    if (isWaiting) {
      closeWith(request.socket, response);
      noteWaiting(request.socket, response);
    }
    request.url = originForm(request.url ?? '');
    for (const step of prepare) step(request, response);
    const answer = (): void => {
      if (!direct.some((handle) => handle(request, response))) app(request, response);
    };
    if (!hasOneHost(request)) refuseWith(response, new ServiceError('invalid_request', HOST_RULE));
    else if (request.headers.origin === undefined) answer();
    else crossOrigin(request, response, answer);
  };
}

/** The target without scheme and host, which a client may send as to a proxy (RFC 9112, 3.2.2). */
function originForm(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*\/?/i, '/');
}

const HOST_RULE = 'A request of HTTP/1.1 must have one Host header.';

/** RFC 9112, 3.2. Node ignores a second one. */
function hasOneHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts += 1;
  return hosts === 1 || (hosts === 0 && httpVersion !== '1.1');
}
