import type { Request } from 'express';
import { readCookie } from '../../http/cookies.js';
import { timeZoneNamed } from './timeZoneNamed.js';

/** The zone in which a person reads times: the one they chose, else the browser's, as its script told. */
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
