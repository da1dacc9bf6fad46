import { IncomingMessage } from 'node:http';
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ServiceError } from '../errors.js';
import { answerUnderWay } from './answerUnderWay.js';
import { closeWith } from './closeWith.js';
import { errorResponse } from './errorResponse.js';
import { lastResponse } from './lastResponse.js';
import { beginNotes, notesOf } from './requestNotes.js';
import { send } from './send.js';

/** Refusals by the codes of Node's parser. Others are 400. */
const REFUSALS = new Map<string | undefined, [status: number, message: string]>([
  ['HPE_HEADER_OVERFLOW', [431, 'The address and the headers must not be larger than 16 KiB together.']],
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'The request did not arrive in time.']],
]);

/**
 * Answers bytes that Node cannot read as a request, and so no handler sees, with the Error body. Requests
 * before them on the connection are answered first.
 */
export function refuseUnreadable(baseUrl: string) {
  const waiting = new WeakSet<Socket>();
  const refuse = (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (!(socket instanceof Socket) || !socket.writable) return void socket.destroy();
    if (waiting.has(socket)) return;
    const request = new IncomingMessage(socket);
    const [status, message] = REFUSALS.get(error.code) ?? [400, 'The request is not valid HTTP/1.1.'];
    const answering = answerUnderWay(socket);
    if (answering !== undefined) {
      // Where an answer is being sent piece by piece, more bytes would falsify it.
      if (answering.headersSent && !(answering.req.complete && answering.writableEnded))
        return void socket.destroy();
      if (answering.req.complete) {
        waiting.add(socket);
        answering.once('finish', () => {
          waiting.delete(socket);
          if (socket.writable) refuse(error, socket);
        });
        return;
      }
      request.headers['x-request-id'] = notesOf(answering).requestId;
      takeSocket(socket, answering, status);
    }
    const response = lastResponse(request, socket);
    beginNotes(baseUrl)(request, response);
    send(response, { ...errorResponse(new ServiceError('invalid_request', message), response), status });
  };
  return refuse;
}

/** Takes the socket from a request whose own body cannot be read. */
function takeSocket(socket: Socket, response: ServerResponse, status: number): void {
  response.detachSocket(socket);
  notesOf(response).refusedWith = status;
  closeWith(socket, response);
}
