import type { Config } from '../config.js';
import type { Database } from '../database/Database.js';
import type { JsonObject } from '../domain/jsonValue.js';

/** The resources of an action. */
export interface OperatorScope {
  database: Database;
  clock: () => Date;
  limits: Pick<Config, 'rateLimits' | 'appConcurrency' | 'replayStorageMb'>;
}

/** Arguments and options as given. */
export type Given = Readonly<Record<string, string | undefined>>;

export interface ActionParameter {
  name: string;
  /** A short description. */
  says: string;
  required?: boolean;
  /** Its allowed values, if they are few. */
  values?: readonly string[];
}

/** An action of operators: by the command `consent <words>`, and by HTTP under `/operator`. */
export interface OperatorAction {
  words: string;
  summary: string;
  method: 'GET' | 'POST' | 'DELETE';
  /** Path below `/operator`; names after a colon are parameters. */
  path: string;
  /** The one parameter that the command accepts without an option name. */
  argument?: string;
  parameters: readonly ActionParameter[];
  /** 202 when work continues in the background; by default 200. */
  status?: number;
  run(scope: OperatorScope, given: Given): Promise<JsonObject>;
  /** Prints the result as a sentence; absent: it is printed as a table. */
  tell?(result: JsonObject): string;
}
