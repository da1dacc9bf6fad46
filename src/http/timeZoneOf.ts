import type { Request } from 'express';
import { readCookie } from './cookies.js';
import { timeZoneNamed } from './timeZoneNamed.js';

/**
 * The time zone of times shown to a person: the account's, else the browser's, from a cookie of its script.
 */
export function timeZoneOf(request: Request, account?: { timeZone: string | null }): string | null {
  return account?.timeZone ?? timeZoneNamed(decoded(readCookie(request, 'time_zone') ?? ''));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
