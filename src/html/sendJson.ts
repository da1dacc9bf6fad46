import type { Response } from 'express';
import { pageHeaders } from './pageHeaders.js';

/** Answers a page's script, or a download, under the pages' security headers. */
export function sendJson(response: Response, status: number, body: object): void {
  response.status(status);
  response.set({ ...pageHeaders(), 'Content-Type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body, undefined, 2));
}
