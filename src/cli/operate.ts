import { hostname, userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';
import { Database } from '../database/Database.js';
import { journalForCommands } from '../database/bindJournal.js';
import { sqlState } from '../database/sqlState.js';
import { startEmbeddedPostgres } from '../database/embedded/startEmbeddedPostgres.js';
import type { JsonObject } from '../domain/jsonValue.js';
import { requestIdFrom } from '../domain/requestId.js';
import { ServiceError } from '../errors.js';
import { OperatorLog } from '../operators/OperatorLog.js';

const UNDEFINED_TABLE = '42P01';

export type Options = Record<string, string | boolean | undefined>;

/** What a command has done: for people, and with `--json` for programs. */
export interface Told {
  text: string;
  data: object;
}

export interface Operation {
  /** Its words, as the operators' log keeps them. */
  words: string;
  usage: string;
  options: NonNullable<ParseArgsConfig['options']>;
  /** The name of the one argument beside the options, when there is one; `run` finds it among the options. */
  argument?: string;
  run(database: Database, options: Options): Promise<Told>;
}

const COMMON = { json: { type: 'boolean' }, help: { type: 'boolean' } } as const;

/**
 * Runs an operator's command: reads its options, reaches the database of `DATABASE_URL` or of
 * the embedded PostgreSQL (running or not), and says in one sentence what was done or why not.
 */
export async function operate(operation: Operation, args = process.argv.slice(2)): Promise<void> {
  const asJson = args.includes('--json');
  try {
    const { json: _json, help, ...options } = readOptions(operation, args);
    if (help === true) return console.log(helpOf(operation));
    const told = await withDatabase((database) =>
      new OperatorLog(database, () => new Date()).recorded(actOf(operation, options), () =>
        operation.run(database, options),
      ),
    );
    console.log(asJson ? JSON.stringify(told.data) : told.text);
  } catch (error) {
    console.error(asJson ? JSON.stringify({ error: problemOf(error) }) : explain(error, operation));
    process.exitCode = 1;
  }
}

/** The usage, and every option. */
export function helpOf({ usage, options }: Operation): string {
  const names = Object.keys({ ...options, ...COMMON }).map((name) => `--${name}`);
  return `${usage}\n\nOptions: ${names.join(' ')}`;
}

function readOptions({ options, argument }: Operation, args: string[]): Options {
  const allowPositionals = argument !== undefined;
  const { values, positionals } = parseArgs({
    args,
    options: { ...options, ...COMMON },
    strict: true,
    allowPositionals,
  });
  if (positionals.length > 1) throw new TypeError(`Only one ${argument} can be given.`);
  return { ...(values as Options), ...(argument === undefined ? {} : { [argument]: positionals[0] }) };
}

/** Who runs the command, by the login of the operating system; the options carry no secret. */
function actOf({ words }: Operation, options: Options): Parameters<OperatorLog['recorded']>[0] {
  const { SUDO_USER } = process.env;
  const login = `${userInfo().username}@${hostname()}`;
  const operator = `user:${SUDO_USER ? `${SUDO_USER} as ` : ''}${login}`;
  const given = Object.entries(options).flatMap(([name, value]) =>
    // An address is a person's: who it was stands in the database under the account's id.
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

/** An option that must be given. */
export function required(options: Options, name: string): string {
  const value = options[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new TypeError(`--${name} is missing.`);
}

async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const { DATABASE_URL, DATA_DIR, REVOCATION_JOURNAL } = process.env;
  const log = { info: (text: string) => console.error(text), warn: (text: string) => console.error(text) };
  const embedded = DATABASE_URL
    ? undefined
    : await startEmbeddedPostgres({ dataDir: DATA_DIR ?? '.data', log });
  const url = DATABASE_URL ?? embedded?.url ?? '';
  const plain = new Database({ url, poolSize: 1 });
  const database = new Database({ url, poolSize: 2, journal: journalForCommands(plain, REVOCATION_JOURNAL) });
  try {
    return await work(database);
  } finally {
    await Promise.all([database.close(), plain.close()]);
    await embedded?.stop();
  }
}

function problemOf(error: unknown): JsonObject {
  if (sqlState(error) === UNDEFINED_TABLE)
    return {
      code: 'unavailable',
      message:
        'The database lacks tables of this version: run npm run migrate (or npm start once) and try again.',
    };
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof ServiceError))
    return { code: error instanceof TypeError ? 'invalid_request' : 'internal_error', message };
  const details = (error.facts.details ?? []).map((detail) => ({ ...detail }) as JsonObject);
  return { code: error.code, message, ...(details.length === 0 ? {} : { details }) };
}

function explain(error: unknown, { usage }: Operation): string {
  const { message, details } = problemOf(error);
  const problems = Array.isArray(details) ? (details as JsonObject[]) : [];
  const lines = problems.map(
    (problem) => `  - ${String(problem['field'] ?? '')} ${String(problem['message'])}`,
  );
  const text = [String(message), ...lines].join('\n');
  return error instanceof TypeError || lines.length > 0 ? `${text}\n\n${usage}` : text;
}
