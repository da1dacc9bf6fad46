import type { Config } from '../config.js';
import type { Database } from '../database/Database.js';
import type { JsonObject } from '../domain/jsonValue.js';

/** What an action works on. */
export interface OperatorScope {
  database: Database;
  clock: () => Date;
  limits: Pick<Config, 'rateLimits' | 'appConcurrency' | 'replayStorageMb'>;
}

/** Arguments and options as they were given. */
export type Given = Readonly<Record<string, string | undefined>>;

export interface ActionParameter {
  name: string;
  /** What it is, in a few words. */
  says: string;
  required?: boolean;
  /** Its values, where there are few. */
  values?: readonly string[];
}

/**
 * Something that an operator may ask for: by the command `consent <words>`, and by HTTP under `/operator`.
 */
export interface OperatorAction {
  words: string;
  summary: string;
  method: 'GET' | 'POST' | 'DELETE';
  /** Below `/operator`; names after a colon are parameters. */
  path: string;
  /** The one parameter that the command takes without an option's name. */
  argument?: string;
  parameters: readonly ActionParameter[];
  /** 202 where work continues in the background; 200 by default. */
  status?: number;
  run(scope: OperatorScope, given: Given): Promise<JsonObject>;
  /** The result in a sentence; a table of it where left out. */
  tell?(result: JsonObject): string;
}
