import type { Response } from 'express';

/** An error in the format of RFC 6749, 5.2. */
export interface OauthError {
  status: number;
  error: string;
  description: string;
  scope?: string;
}

export function sendOauthError(response: Response, { status, error, description, scope }: OauthError): void {
  response.set('Cache-Control', 'no-store');
  if (status === 401) response.set('WWW-Authenticate', BASIC_CHALLENGE);
  response.status(status).json({ error, error_description: description, scope });
}

/** Headers of the token endpoint that pages of other origins may read (CORS). */
export const EXPOSED_HEADERS = 'RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id';

export const BASIC_CHALLENGE = 'Basic realm="oauth", charset="UTF-8"';
