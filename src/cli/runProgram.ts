import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';
import { ConfigError } from '../config.js';
import { LaunchFailure } from '../database/embedded/LaunchFailure.js';
import { StartFailure } from '../database/StartFailure.js';
import { isTransient, sqlState } from '../database/sqlState.js';
import type { JsonObject } from '../domain/jsonValue.js';
import { ServiceError } from '../errors.js';
import { endWith, OutputLost, print, printed } from './output.js';

const UNDEFINED_TABLE = '42P01';

export type Options = Record<string, string | boolean | undefined>;

/** The result of a command: text for people, and data for `--json`. */
export interface Told {
  text: string;
  data: object;
}

export interface Command {
  usage: string;
  options: NonNullable<ParseArgsConfig['options']>;
  /** The name of the positional argument, if any. `run` gets it among the options. */
  argument?: string;
  /** Which of these name files or folders. `run` gets their full paths. */
  paths?: readonly string[];
  /**
   * @param tell prints progress, which is not part of the `--json` output
   * @returns undefined when progress was the only output
   */
  run(options: Options, tell: (line: string) => void, asJson: boolean): Promise<Told | undefined>;
}

const COMMON = { json: { type: 'boolean' }, help: { type: 'boolean' } } as const;

/** Runs a command: reads its options and prints the result or the error. */
export async function runProgram(command: Command, args = process.argv.slice(2)): Promise<void> {
  const asJson = args.includes('--json');
  const tell = asJson ? console.error : print;
  try {
    const { json: _json, help, ...options } = readOptions(command, args);
    const told = help === true ? undefined : await command.run(options, tell, asJson);
    if (help === true) print(helpOf(command));
    if (told !== undefined) print(asJson ? JSON.stringify(told.data) : told.text);
    await printed();
  } catch (error) {
    endWith(error, asJson ? JSON.stringify({ error: problemOf(error) }) : explain(error, command));
  }
}

/** @throws TypeError when the option is missing */
export function required(options: Options, name: string): string {
  const value = options[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new TypeError(`--${name} is missing.`);
}

/** The usage and all options. */
function helpOf({ usage, options }: Command): string {
  const names = Object.keys({ ...options, ...COMMON }).map((name) => `--${name}`);
  return `${usage}\n\nOptions: ${names.join(' ')}`;
}

function readOptions({ options, argument, paths = [] }: Command, args: string[]): Options {
  const allowPositionals = argument !== undefined;
  const { values, positionals } = parseArgs({
    args,
    options: { ...options, ...COMMON },
    strict: true,
    allowPositionals,
  });
  if (positionals.length > 1) throw new TypeError(`Only one ${argument} can be given.`);
  const given = { ...(values as Options), ...(argument === undefined ? {} : { [argument]: positionals[0] }) };
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, paths.includes(name) ? fullPath(value) : value]),
  );
}

/** Relative paths start where the operator called the command: bin/run.cjs changes the folder. */
function fullPath(path: Options[string]): Options[string] {
  return typeof path === 'string' && path !== '' ? resolve(process.env['CALLED_IN'] ?? '', path) : path;
}

function problemOf(error: unknown): JsonObject {
  if (sqlState(error) === UNDEFINED_TABLE)
    return {
      code: 'unavailable',
      message:
        'The database lacks tables of this version: run npm run migrate (or npm start once) and try again.',
    };
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof ServiceError)) return { code: codeOf(error), message };
  const details = (error.facts.details ?? []).map((detail) => ({ ...detail }) as JsonObject);
  return { code: error.code, message, ...(details.length === 0 ? {} : { details }) };
}

function explain(error: unknown, { usage }: Command): string {
  const { code, message, details } = problemOf(error);
  const problems = Array.isArray(details) ? (details as JsonObject[]) : [];
  const lines = problems.map(
    (problem) => `  - ${String(problem['field'] ?? '')} ${String(problem['message'])}`,
  );
  const text = [String(message), ...lines].join('\n');
  const misused = error instanceof TypeError || (lines.length > 0 && code !== 'conflict');
  return misused ? `${text}\n\n${usage}` : text;
}

/** A caller can correct a setting or an option, and wait for what is away; other errors are internal. */
function codeOf(error: unknown): string {
  if (error instanceof TypeError || error instanceof ConfigError) return 'invalid_request';
  const isAway = [StartFailure, LaunchFailure, OutputLost].some((kind) => error instanceof kind);
  return isAway || isTransient(error) ? 'unavailable' : 'internal_error';
}
