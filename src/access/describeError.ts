import { GraphQLError } from 'graphql';
import { isConnectionLost, sqlState } from '../database/sqlState.js';
import { ServiceError } from '../errors.js';

/**
 * SQLSTATEs that pass with time or by the operator's hand: a deadlock or a conflict that came again at each
 * try, lock not available, query canceled, no resources (too many connections among them), an error of the
 * server's system (its disk, or a node that is killed while it answers), a login or database that is refused,
 * a primary that became read-only.
 */
const PASSING = /^(?:40P01|40001|55P03|57014|53...|58...|28...|3D000|25006)$/;

/**
 * What a client may know of an error. The only place that decides it: anything that is not a `ServiceError`
 * becomes `unavailable` when the database is the reason, else `internal_error`, without a word of its own.
 */
export function describeError(error: unknown): ServiceError {
  const cause = error instanceof GraphQLError ? (error.originalError ?? error) : error;
  if (cause instanceof ServiceError) return cause;
  if (cause instanceof GraphQLError && cause.originalError === undefined && cause.path === undefined) {
    return new ServiceError('invalid_request', cause.message);
  }
  if (isConnectionLost(cause) || PASSING.test(sqlState(cause))) {
    return new ServiceError('unavailable', 'The service cannot answer right now.', { retryAfterSeconds: 1 });
  }
  return new ServiceError('internal_error', 'Something went wrong on our side.');
}

/** Whether the operator should see the error itself. */
export function isOurFault(described: ServiceError): boolean {
  return described.status >= 500;
}
