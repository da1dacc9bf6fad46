import { GraphQLError } from 'graphql';
import { isTransient } from '../database/sqlState.js';
import { ServiceError } from '../errors.js';

/**
 * What a client may know of an error, decided only here: an error that is no `ServiceError` becomes
 * `unavailable` if the database caused it, else `internal_error`, without its text.
 */
export function describeError(error: unknown): ServiceError {
  const cause = error instanceof GraphQLError ? (error.originalError ?? error) : error;
  if (cause instanceof ServiceError) return cause;
  if (cause instanceof GraphQLError && cause.originalError === undefined && cause.path === undefined) {
    return new ServiceError('invalid_request', cause.message);
  }
  if (isTransient(cause)) {
    return new ServiceError('unavailable', 'The service cannot answer right now.', { retryAfterSeconds: 1 });
  }
  return new ServiceError('internal_error', 'Something went wrong on our side.');
}

/** Whether the operator should see the error itself. */
export function isOurFault(described: ServiceError): boolean {
  return described.status >= 500;
}
