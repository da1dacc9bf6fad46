import type { RequestHandler } from 'express';
import { unstorable } from '../domain/jsonValue.js';
import { ServiceError } from '../errors.js';
import { requireOneAuthorization } from '../access/identifyCaller.js';
import { basicCredentials } from './authenticateClient.js';

/**
 * Refuses requests to `/oauth` before any handler: those with two `Authorization` headers, and those with
 * NUL, which PostgreSQL cannot store, in the path, the query or the client's credentials. Forms are checked
 * when they are read.
 *
 * @throws ServiceError `invalid_request`
 */
export const refuseUnstorableRequest: RequestHandler = (request, _response, next) => {
  requireOneAuthorization(request);
  const { clientId, secret } = basicCredentials(request) ?? {};
  const problem = request.originalUrl.includes('%00') ? unstorable('\0') : unstorable([clientId, secret]);
  if (problem !== undefined) throw new ServiceError('invalid_request', `A parameter ${problem}.`);
  next();
};
