import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';
import { Database } from '../database/Database.js';
import { sqlState } from '../database/sqlState.js';
import { startEmbeddedPostgres } from '../database/embedded/startEmbeddedPostgres.js';

const UNDEFINED_TABLE = '42P01';

export type Options = Record<string, string | boolean | undefined>;

export interface Operation {
  usage: string;
  options: NonNullable<ParseArgsConfig['options']>;
  /** The name of the one argument beside the options, when there is one; `run` finds it among the options. */
  argument?: string;
  /** @returns what to tell the operator */
  run(database: Database, options: Options): Promise<string>;
}

/**
 * Runs an operator's command: reads its options, reaches the database of `DATABASE_URL` or of
 * the embedded PostgreSQL (running or not), and says in one sentence what was done or why not.
 */
export async function operate(operation: Operation): Promise<void> {
  try {
    const options = readOptions(operation);
    console.log(await withDatabase((database) => operation.run(database, options)));
  } catch (error) {
    console.error(problemOf(error, operation));
    process.exitCode = 1;
  }
}

function readOptions({ options, argument }: Operation): Options {
  const allowPositionals = argument !== undefined;
  const { values, positionals } = parseArgs({ args: process.argv.slice(2), options, strict: true, allowPositionals });
  if (positionals.length > 1) throw new TypeError(`Only one ${argument} can be given.`);
  return { ...(values as Options), ...(argument === undefined ? {} : { [argument]: positionals[0] }) };
}

/** An option that must be given. */
export function required(options: Options, name: string): string {
  const value = options[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new TypeError(`--${name} is missing.`);
}

async function withDatabase(work: (database: Database) => Promise<string>): Promise<string> {
  const { DATABASE_URL, DATA_DIR } = process.env;
  const log = { info: (text: string) => console.error(text), warn: (text: string) => console.error(text) };
  const embedded = DATABASE_URL ? undefined : await startEmbeddedPostgres({ dataDir: DATA_DIR ?? '.data', log });
  const database = new Database({ url: DATABASE_URL ?? embedded?.url ?? '', poolSize: 2 });
  try {
    return await work(database);
  } finally {
    await database.close();
    await embedded?.stop();
  }
}

function problemOf(error: unknown, { usage }: Operation): string {
  if (sqlState(error) === UNDEFINED_TABLE)
    return 'The database is empty: start the service once (npm start) and try again.';
  const message = error instanceof Error ? error.message : String(error);
  const isMisuse = error instanceof TypeError;
  return isMisuse ? `${message}\n\n${usage}` : message;
}
