import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Express } from 'express';
import { ServiceError } from '../errors.js';
import { crossOrigin } from './crossOrigin.js';
import type { Lifecycle } from './Lifecycle.js';
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
  const handle = oneByOne((request, response) => {
    request.url = originForm(request.url ?? '');
    for (const step of prepare) step(request, response);
    const answer = (): void => {
      if (!direct.some((handle) => handle(request, response))) app(request, response);
    };
    const problem = malformedRequest(request);
    if (problem !== undefined) {
      response.shouldKeepAlive = false;
      refuseWith(response, new ServiceError('invalid_request', problem));
    } else if (request.headers.origin === undefined) answer();
    else crossOrigin(request, response, answer);
  });
  return (request, response) => {
    const isWaiting = response.socket === null;
    // The client must not send its next request on a connection that is about to close.
    if (lifecycle.draining && !closeAfter(response, isWaiting ? lastAnswer(request.socket) : undefined))
      return void request.resume();
    handle(request, response);
  };
}

/**
 * Handles the requests of a connection one after the other. Node passes on at once all that a client sends
 * ahead of its answers (pipelining), which can be thousands in one packet. While requests wait, nothing more
 * is read. Those that wait when their connection ends are not handled.
 */
export function oneByOne(handle: RequestListener): RequestListener {
  return (request, response) => {
    const { socket } = request;
    const before = response.socket === null ? lastAnswer(socket) : undefined;
    if (before === undefined) return handle(request, response);
    noteWaiting(socket, response);
    // Node goes on reading whenever it has parsed a request.
    process.nextTick(() => socket.pause());
    // In a later round of the event loop: some requests are answered in the round in which they are handled.
    const later = (work: () => void): void =>
      void setImmediate(() => (response.socket === null ? undefined : work()));
    const goOn = (): void => {
      if (lastAnswer(socket) !== response) return handle(request, response);
      // What has arrived is read first, or this answer could end the connection before those behind it.
      socket.resume();
      later(() => handle(request, response));
    };
    before.once('close', () => later(goOn));
  };
}

/** The target without scheme and host, which a client may send as to a proxy (RFC 9112, 3.2.2). */
function originForm(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*\/?/i, '/');
}

/** A name or an address, and a port (RFC 9110, 7.2; RFC 3986, 3.2). */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\w.~:%-]+\])(?::\d*)?$/;

/** Why a request that Node accepts is malformed by RFC 9112; undefined when it is not. */
function malformedRequest(request: IncomingMessage): string | undefined {
  if (!hasValidHost(request)) return 'A request of HTTP/1.1 must have one Host header, which names a host.';
  if (!isPlainlyFramed(request))
    return 'The only Transfer-Encoding is chunked, and there is none before HTTP/1.1.';
  return undefined;
}

/** RFC 9112, 3.2. Node ignores a second one, and takes any value. */
function hasValidHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let host: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.length !== 4 || rawHeaders[at]?.toLowerCase() !== 'host') continue;
    if (host !== undefined) return false;
    host = rawHeaders[at + 1] ?? '';
  }
  return host === undefined ? httpVersion !== '1.1' : HOST.test(host);
}

/**
 * RFC 9112, 6.1. Node decodes the chunks of any list of codings that ends with `chunked`, and nothing else,
 * and keeps a connection of HTTP/1.0 open behind them. It refuses other lists itself.
 */
function isPlainlyFramed({ headers, httpVersion }: IncomingMessage): boolean {
  const codings = headers['transfer-encoding']?.toLowerCase();
  if (codings === undefined || !/\bchunked$/.test(codings)) return true;
  return codings === 'chunked' && httpVersion !== '1.0';
}
