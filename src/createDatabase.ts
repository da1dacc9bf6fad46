import type { Logger } from 'pino';
import type { Config } from './config.js';
import { Database } from './database/Database.js';
import type { Journal } from './database/RevocationJournal.js';

/** The pool through which one thread reaches the primary. */
export function createDatabase(
  url: string,
  config: Config,
  log: Logger,
  journal: Journal | undefined,
): Database {
  return new Database({
    ...(journal === undefined ? {} : { journal }),
    url,
    poolSize: config.poolSize,
    prepared: config.preparedStatements,
    answerTimeoutMs: config.databaseTimeoutMs,
    statementTimeoutMs: config.statementTimeoutMs,
    reserved: config.poolSize < 8 ? 1 : 2,
    sharing: { connections: Math.ceil(config.poolSize / 3), reads: 8 },
    onError: (error) => log.warn({ err: error }, 'a database connection broke'),
  });
}
