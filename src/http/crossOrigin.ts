import cors from 'cors';
import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Paths that pages of other origins may call. All of them accept bearer tokens or client credentials, never
 * cookies.
 */
const PATHS = /^\/(?:v1|graphql|oauth\/userinfo)(?:[/?]|$)/;

const allowCalls = cors({
  origin: '*',
  methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'Last-Event-ID', 'X-Request-Id'],
  exposedHeaders: [
    'X-Request-Id',
    'Idempotent-Replayed',
    'Location',
    'RateLimit',
    'RateLimit-Policy',
    'Retry-After',
    'WWW-Authenticate',
    'X-Request-Cost',
  ],
  maxAge: 600,
});

/** Public documents: where clients sign in (RFC 8414, RFC 9728), and the keys of the service. */
const DISCOVERY = /^\/(?:\.well-known\/|oauth\/jwks(?:\?|$))/;

/** Allows any request header. */
const allowReading = cors({ origin: '*', methods: ['GET'], maxAge: 600 });

/**
 * Allows calls by partner dashboards in the browser (CORS of the Fetch standard). Other paths are not
 * affected.
 */
export function crossOrigin(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  const { method, url = '' } = request;
  if (method === 'OPTIONS' && !isPreflight(request)) next();
  else if (PATHS.test(url)) allowCalls(request, response, next);
  else if (DISCOVERY.test(url)) allowReading(request, response, next);
  else next();
}

/** Whether an `OPTIONS` asks for a page of another origin. Any other is a method like those not offered. */
export function isPreflight({ headers }: IncomingMessage): boolean {
  return headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}
