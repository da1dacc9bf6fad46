import type { ServerResponse } from 'node:http';

/** How long the rest of an unread body is read and dropped, in milliseconds. */
const LINGER_MS = 2000;

/**
 * Ends an answer with its last text. A request body that is still arriving is read and dropped for a while
 * first: closing a connection with unread bytes resets it, and the client may see the reset before the answer
 * (RFC 9112, 9.6).
 *
 * `Content-Length` must be set: it tells the client that the answer is complete before the connection ends.
 */
export function endAnswer(response: ServerResponse, text: string, encoding: BufferEncoding): void {
  if (!isStillSending(response)) {
    response.end(text, encoding);
    return;
  }
  const { req: request } = response;
  response.write(text, encoding);
  const timer = setTimeout(() => request.destroy(), LINGER_MS);
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  request.once('end', end).once('close', end).resume();
}

function isStillSending({ req }: ServerResponse): boolean {
  if (req.complete || req.destroyed) return false;
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
}
