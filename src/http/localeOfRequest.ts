import type { Request } from 'express';
import { readCookie } from './pages/cookies.js';
import type { Locale } from '../texts/textsFor.js';
import { localeOf } from '../texts/textsFor.js';

/** The cookie that keeps the language that a person chose. */
export const LANGUAGE_COOKIE = 'language';

/** The language that the person chose in this browser, or the browser asks for. */
export function localeOfRequest(request: Request): Locale {
  return localeOf(readCookie(request, LANGUAGE_COOKIE) ?? request.get('accept-language'));
}
