import type { ServerResponse } from 'node:http';

/** How long the rest of an unread body is read and dropped, in milliseconds. */
const LINGER_MS = 2000;

/** An answer before it is sent. */
export interface RestResponse {
  status: number;
  headers: Record<string, string>;
  /** JSON; undefined: no body. */
  body: string | undefined;
}

/** Sends JSON, without computing an ETag. */
export function send(response: ServerResponse, { status, headers, body }: RestResponse): void {
  response.statusCode = status;
  for (const name in headers) response.setHeader(name, headers[name] ?? '');
  response.setHeader('Cache-Control', 'no-store');
  if (body === undefined) {
    response.end();
    return;
  }
  sendJson(response, body);
}

/** Ends the answer with a JSON text. */
export function sendJson(response: ServerResponse, text: string): void {
  sendText(response, 'application/json; charset=utf-8', text);
}

export function sendText(response: ServerResponse, type: string, text: string): void {
  const length = Buffer.byteLength(text);
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Length', length);
  // With as many bytes as characters the text is ASCII. It needs no encoding and is sent together with the
  // headers.
  endAnswer(response, text, length === text.length ? 'latin1' : 'utf8');
}

/**
 * Ends an answer with its last text. A request body that is still arriving is read and dropped for a while
 * first: closing a connection with unread bytes resets it, and the client may see the reset before the answer
 * (RFC 9112, 9.6).
 *
 * `Content-Length` must be set: it tells the client that the answer is complete before the connection ends.
 */
function endAnswer(response: ServerResponse, text: string, encoding: BufferEncoding): void {
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
