import type { Logger } from 'pino';
import { Turns } from '../concurrency/Turns.js';
import type { Config } from '../config.js';
import { Database } from '../database/Database.js';
import type { DatabaseOptions } from '../database/Database.js';
import { ServiceError } from '../errors.js';

/** One thread's pool of connections to the primary. */
export function createDatabase(
  url: string,
  config: Config,
  log: Logger,
  options: Pick<DatabaseOptions, 'journal' | 'tracing'> = {},
): Database {
  const { poolSize } = config;
  // Requests alone are urgent.
  const kept = poolSize < 8 ? 1 : 2;
  const reserved = config.role === 'worker' ? 0 : kept;
  const shared = Math.ceil(poolSize / 4);
  const others = Math.max(1, poolSize - reserved - shared);
  // A connection is left to others while reads of five apps hang.
  const perApp = Math.max(1, Math.floor((others - 1) / 5));
  const apart = new Turns({ perApp, room: Infinity, refusal: noPlace });
  const half = Math.max(1, Math.floor(others / 2));
  return new Database({
    ...options,
    url,
    poolSize,
    prepared: config.preparedStatements,
    answerTimeoutMs: config.databaseTimeoutMs,
    statementTimeoutMs: config.statementTimeoutMs,
    reserved,
    sharing: { connections: shared, reads: 12, apart },
    // Shared reads keep their connections.
    newTurns: () => new Turns({ perApp: half, room: 2, refusal: tooManyWrites }),
    onError: (error) => log.warn({ err: error }, 'a database connection broke'),
  });
}

/** Uses the wording of the pool's own timeout error, so that it becomes a temporary 503. */
function noPlace(): Error {
  return new Error('timeout exceeded when trying to connect: reads of the app take all that it may have');
}

/** Of transactions, which are far fewer than the requests that an app may have in work. */
function tooManyWrites(): Error {
  const message = 'Transactions of the app waited too long for each other; send fewer writes at once.';
  return new ServiceError('rate_limited', message, { retryAfterSeconds: 1 });
}
