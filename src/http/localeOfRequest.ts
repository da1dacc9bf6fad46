import type { Request, Response } from 'express';
import { readCookie, setCookie } from './cookies.js';
import type { Locale } from '../texts/locale.js';
import { localeOf } from '../texts/locale.js';

/** The cookie that stores the language chosen by a person. */
const LANGUAGE_COOKIE = 'language';

/** The language that the person chose in this browser, or that of the browser. */
export function localeOfRequest(request: Pick<Request, 'headers'>): Locale {
  return localeOf(readCookie(request, LANGUAGE_COOKIE) ?? request.headers['accept-language']);
}

/** Stores the language that the person chose in this browser. */
export function keepLanguage(baseUrl: string, response: Response, locale: Locale): void {
  setCookie(baseUrl, response, LANGUAGE_COOKIE, locale, { path: '/', maxAgeSeconds: YEAR_SECONDS });
}

const YEAR_SECONDS = 365 * 24 * 3600;
