import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ServiceError } from '../errors.js';
import { errorResponse } from './errorResponse.js';
import { beginNotes } from './requestNotes.js';
import { send } from './send.js';

/** Refusals by the codes of Node's parser. Others are 400. */
const REFUSALS = new Map<string | undefined, [status: number, message: string]>([
  ['HPE_HEADER_OVERFLOW', [431, 'The address and the headers must not be larger than 16 KiB together.']],
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'The request did not arrive in time.']],
]);

/** Answers bytes that Node cannot read as a request, and so no handler sees, with the Error body. */
export function refuseUnreadable(baseUrl: string) {
  return ({ code }: NodeJS.ErrnoException, socket: Duplex): void => {
    // Where an answer is being sent already, more bytes would falsify it.
    if (!(socket instanceof Socket) || !socket.writable || !detachUnsent(socket))
      return void socket.destroy();
    const request = new IncomingMessage(socket);
    const response = new ServerResponse(request);
    response.assignSocket(socket);
    response.once('finish', () => socket.destroySoon());
    beginNotes(baseUrl)(request, response);
    const [status, message] = REFUSALS.get(code) ?? [400, 'The request is not valid HTTP/1.1.'];
    send(response, { ...errorResponse(new ServiceError('invalid_request', message), response), status });
  };
}

/** Takes the socket from a request whose body cannot be read. @returns false when its answer has begun */
function detachUnsent(socket: Socket): boolean {
  const answering: unknown = Reflect.get(socket, '_httpMessage');
  if (!(answering instanceof ServerResponse)) return true;
  if (answering.headersSent) return false;
  answering.detachSocket(socket);
  return true;
}
