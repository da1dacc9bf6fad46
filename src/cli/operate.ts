import { hostname, userInfo } from 'node:os';
import { resolve } from 'node:path';
import { configFrom } from '../config.js';
import type { Config } from '../config.js';
import { Database } from '../database/Database.js';
import { DatabaseClock } from '../database/DatabaseClock.js';
import { journalForCommands } from '../database/bindJournal.js';
import { NO_PATIENCE, reachDatabase } from '../database/reachDatabase.js';
import { hasCluster } from '../database/embedded/ClusterFiles.js';
import { startEmbeddedPostgres } from '../database/embedded/startEmbeddedPostgres.js';
import type { EmbeddedPostgres } from '../database/embedded/startEmbeddedPostgres.js';
import type { LaunchLog } from '../database/embedded/watchPostmaster.js';
import { StartFailure } from '../database/StartFailure.js';
import { dateIdsBy } from '../domain/ids.js';
import type { JsonObject } from '../domain/jsonValue.js';
import { requestIdFrom } from '../http/requestNotes.js';
import { OperatorLog } from '../operators/OperatorLog.js';
import { runProgram } from './runProgram.js';
import type { Command, Options, Told } from './runProgram.js';

export interface Operation extends Omit<Command, 'run'> {
  /** Its words, as recorded in the operators' log. */
  words: string;
  /** @param clock tells the time of the database */
  run(database: Database, options: Options, clock: () => Date): Promise<Told>;
}

/**
 * Runs an operator's command on the database of `DATABASE_URL` or on the embedded PostgreSQL (started if
 * needed, never made), and records it in the operators' log.
 */
export async function operate(operation: Operation, args = process.argv.slice(2)): Promise<void> {
  const run = (options: Options): Promise<Told> =>
    withDatabase(async (database) => {
      const { now } = await DatabaseClock.read(database);
      dateIdsBy(now);
      const log = new OperatorLog(database, now);
      return log.recorded(actOf(operation, options), () => operation.run(database, options, now));
    });
  await runProgram({ ...operation, run }, args);
}

/** The log entry: the operator is the login of the operating system. Options contain no secrets. */
function actOf({ words }: Operation, options: Options): Parameters<OperatorLog['recorded']>[0] {
  const { SUDO_USER } = process.env;
  const login = `${userName()}@${hostname()}`;
  const operator = `user:${SUDO_USER ? `${SUDO_USER} as ` : ''}${login}`;
  const given = Object.entries(options).flatMap(([name, value]) =>
    // An e-mail address is personal data, so it is left out. The database has it under the account's id.
    value === undefined || name === 'email' ? [] : [[name, value]],
  );
  const target = Object.fromEntries(given) as JsonObject;
  return {
    operator,
    via: 'command',
    action: words,
    target,
    requestId: requestIdFrom(process.env['REQUEST_ID']),
  };
}

/** Its name, or its number where the system has no entry for it, as in some containers. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid:${process.getuid?.() ?? ''}`;
  }
}

/**
 * Where the database and its journal are, and how it is asked; the other settings of a service are no concern
 * of a command.
 */
function settingsHere(): Config {
  const { DATABASE_URL, DATA_DIR, PREPARED_STATEMENTS, REVOCATION_JOURNAL } = process.env;
  return configFrom({ DATABASE_URL, DATA_DIR, PREPARED_STATEMENTS, REVOCATION_JOURNAL });
}

async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const { databaseUrl, dataDir, preparedStatements: prepared, revocationJournal } = settingsHere();
  const log = { info: (text: string) => console.error(text), warn: (text: string) => console.error(text) };
  if (databaseUrl !== undefined) await reachDatabase(databaseUrl, 'DATABASE_URL', NO_PATIENCE);
  const embedded = databaseUrl === undefined ? await startExisting(dataDir, log) : undefined;
  const url = databaseUrl ?? embedded?.url ?? '';
  const plain = new Database({ url, poolSize: 1, prepared });
  const journal = journalForCommands(plain, revocationJournal);
  const database = new Database({ url, poolSize: 2, prepared, journal });
  try {
    return await work(database);
  } finally {
    await Promise.all([database.close(), plain.close()]);
    await embedded?.stop();
  }
}

/** @throws StartFailure when there is no database: these commands work on one that a service has made */
async function startExisting(dataDir: string, log: LaunchLog): Promise<EmbeddedPostgres> {
  if (hasCluster(dataDir)) return startEmbeddedPostgres({ dataDir, log });
  throw new StartFailure(
    `DATA_DIR: there is no database in ${resolve(dataDir)}. Start the service once (npm start), or set ` +
      'DATA_DIR or DATABASE_URL to those of the service.',
  );
}
