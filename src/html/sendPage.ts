import type { Response } from 'express';
import type { PagePolicy } from './pageHeaders.js';
import { pageHeaders } from './pageHeaders.js';
import type { Page } from './renderPage.js';
import { renderPage } from './renderPage.js';

/** Sends a page with the pages' security headers. */
export function sendPage(response: Response, status: number, page: Page, policy: PagePolicy = {}): void {
  response.status(status);
  response.set({
    ...pageHeaders(policy),
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': page.locale,
    Vary: 'Accept-Language',
  });
  response.end(renderPage(page));
}

/** Sends JSON to a page's script, to a program that reads what pages show, or as a download. */
export function sendPageJson(response: Response, status: number, body: object): void {
  response.status(status);
  response.set({ ...pageHeaders(), 'Content-Type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body, undefined, 2));
}

/**
 * Redirects the browser after a form with 303, so that the next request is a GET and going back repeats
 * nothing.
 */
export function sendOn(response: Response, location: string, policy: PagePolicy = {}): void {
  response.set({ ...pageHeaders(policy), Location: location });
  response.status(303).end();
}
