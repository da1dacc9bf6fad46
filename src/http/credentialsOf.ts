import type { IncomingMessage } from 'node:http';
import type { Credentials } from '../access/identifyCaller.js';
import { ServiceError } from '../errors.js';

/**
 * The credentials that a request carries.
 *
 * @throws ServiceError `invalid_request` when there are two `Authorization` headers: a proxy may have judged
 *   the other one
 */
export function credentialsOf(request: IncomingMessage): Credentials {
  const { headers } = request;
  requireOneAuthorization(request);
  return {
    authorization: headers.authorization,
    // Node joins repeated headers of other names, so that this is never a list.
    adminKey: headers['x-service-admin-key'] as string | undefined,
  };
}

/**
 * Node keeps the first of several `Authorization` headers and drops the others silently.
 *
 * @throws ServiceError `invalid_request`
 */
export function requireOneAuthorization({ headers, headersDistinct }: IncomingMessage): void {
  // A page's own door puts its session's token there: then the client sent none.
  if (headers.authorization === undefined || (headersDistinct['authorization']?.length ?? 0) <= 1) return;
  throw new ServiceError('invalid_request', 'The Authorization header must be given once.', {
    details: [{ code: 'repeated_header', message: 'must be given once', field: 'Authorization' }],
  });
}
