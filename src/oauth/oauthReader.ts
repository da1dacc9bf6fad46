import { describeError } from '../access/describeError.js';
import type { Database, Query } from '../database/Database.js';
import type { Row } from '../database/Row.js';
import { errors } from './oidcProvider.js';

/** The part of the database that oidc-provider's storage uses. */
export type Reader = Pick<Database, 'read'>;

/**
 * Reads whose failures oidc-provider can report to clients: 503 `temporarily_unavailable` while the database
 * is unavailable.
 */
export function oauthReader(database: Reader): Reader {
  return {
    async read<T extends object = Row>(query: Query, values: unknown[] = []): Promise<T[]> {
      try {
        return await database.read<T>(query, values);
      } catch (error) {
        throw describeError(error).code === 'unavailable' ? temporarilyUnavailable(error) : error;
      }
    },
  };
}

function temporarilyUnavailable(cause: unknown): Error {
  const error = new errors.TemporarilyUnavailable('the service cannot answer right now');
  return Object.assign(error, { status: 503, statusCode: 503, cause });
}

/** The original error of a failed read, if `error` is the one thrown to oidc-provider. */
export function reasonOf(error: unknown): unknown {
  return error instanceof errors.TemporarilyUnavailable ? error.cause : error;
}
