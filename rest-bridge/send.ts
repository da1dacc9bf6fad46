import type { ServerResponse } from 'node:http';
import { StoredText } from '../src/domain/StoredText.js';
import type { RestResponse } from './handleRequest.js';

/** Sends JSON without an ETag over the body and without printing stored text again. */
export function send(response: ServerResponse, { status, headers, body }: RestResponse): void {
  response.statusCode = status;
  for (const name in headers) response.setHeader(name, headers[name] ?? '');
  response.setHeader('Cache-Control', 'no-store');
  if (body === undefined) {
    response.end();
    return;
  }
  sendJson(response, body instanceof StoredText ? body.text : JSON.stringify(body));
}

/** Ends the answer with text that is JSON. */
export function sendJson(response: ServerResponse, text: string): void {
  sendText(response, 'application/json; charset=utf-8', text);
}

/** Ends the answer with text. Handed on as text, it leaves in one write together with the headers. */
export function sendText(response: ServerResponse, type: string, text: string): void {
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  if (response.statusCode === 413 && !response.req.complete) sendAhead(response, text);
  else response.end(text);
}

/** Longest that a client may go on sending what was refused already, in milliseconds. */
const LINGER_MS = 10_000;

/**
 * Answers before the request is at its end. A connection closed at once would be reset, and many clients read the answer only
 * when they have sent everything: what they send is thrown away for a while.
 */
function sendAhead(response: ServerResponse, text: string): void {
  const { req: request } = response;
  response.write(text);
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, LINGER_MS);
  request.once('end', end);
  request.once('close', end);
  request.resume();
}
