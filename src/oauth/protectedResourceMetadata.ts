import type { RequestHandler } from 'express';
import type { Config } from '../config.js';
import { ALL_SCOPES } from '../domain/scopes.js';

/** Metadata of the API as a protected resource (RFC 9728): its token issuer, bearer methods and scopes. */
export function protectedResourceMetadata({ baseUrl }: Pick<Config, 'baseUrl'>): RequestHandler {
  const metadata = {
    resource: baseUrl,
    authorization_servers: [baseUrl],
    scopes_supported: ALL_SCOPES,
    bearer_methods_supported: ['header'],
  };
  return (_request, response) => {
    response.json(metadata);
  };
}
