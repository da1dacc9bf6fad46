import cors from 'cors';
import type { NextFunction, Request, Response } from 'express';

/** Paths that pages of other origins may call: all of them take bearer tokens or client credentials, never cookies. */
export const CROSS_ORIGIN_PATHS = ['/v1', '/graphql'];

const allow = cors({
  origin: '*',
  methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'X-Request-Id'],
  exposedHeaders: [
    'X-Request-Id',
    'Idempotent-Replayed',
    'Location',
    'RateLimit',
    'RateLimit-Policy',
    'Retry-After',
    'WWW-Authenticate',
  ],
  maxAge: 600,
});

/** Lets partner dashboards call from the browser (the Fetch standard's CORS protocol). Requests without an `Origin` pass untouched. */
export function crossOrigin(request: Request, response: Response, next: NextFunction): void {
  const isPlainOptions = request.method === 'OPTIONS' && request.headers['access-control-request-method'] === undefined;
  if (request.headers.origin === undefined || isPlainOptions) next();
  else allow(request, response, next);
}
