import type { IncomingMessage, RequestListener } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterAnswers } from './afterAnswers.js';
import { lastResponse } from './lastResponse.js';

/**
 * Answers CONNECT as a request to no path of the service. Node passes it on with the raw socket, and closes
 * the connection without an answer when nobody listens.
 */
export function answerConnect(answer: RequestListener) {
  return (request: IncomingMessage, socket: Duplex): void => {
    if (!(socket instanceof Socket)) return void socket.destroy();
    // Node took its own listener off; without one a client that resets the connection would end the process.
    socket.on('error', () => undefined);
    // A host and a port, which no part of the service can read (RFC 9112, 3.2.3).
    request.url = '*';
    afterAnswers(socket, () => answer(request, lastResponse(request, socket)));
  };
}
