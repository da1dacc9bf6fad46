import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';
import { Database, sqlState } from '../database/Database.js';
import { startEmbeddedPostgres } from '../database/embedded/startEmbeddedPostgres.js';

const UNDEFINED_TABLE = '42P01';

export type Options = Record<string, string | boolean | undefined>;

export interface Operation {
  usage: string;
  options: NonNullable<ParseArgsConfig['options']>;
  /** @returns what to tell the operator */
  run(database: Database, options: Options): Promise<string>;
}

/**
 * Runs an operator's command: reads its options, reaches the database of `DATABASE_URL` or of
 * the embedded PostgreSQL (running or not), and says in one sentence what was done or why not.
 */
export async function operate(operation: Operation): Promise<void> {
  try {
    const { values } = parseArgs({ args: process.argv.slice(2), options: operation.options, strict: true });
    console.log(await withDatabase((database) => operation.run(database, values as Options)));
  } catch (error) {
    console.error(problemOf(error, operation));
    process.exitCode = 1;
  }
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
