import type { Request } from 'express';
import type { Locale } from '../texts/textsFor.js';
import { localeOf } from '../texts/textsFor.js';

/** The language that the browser asks for. */
export function localeOfRequest(request: Request): Locale {
  return localeOf(request.get('accept-language'));
}
