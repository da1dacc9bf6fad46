import type { ServerResponse } from 'node:http';
import { endAnswer } from './endAnswer.js';

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
