import type { Socket } from 'node:net';
import pg from 'pg';
import utils from 'pg/lib/utils.js';
import { rowTypes } from './types.js';

/** A statement. Without a name it is sent whole. */
interface Statement {
  name?: string | undefined;
  text: string;
}

/** A statement that is sent before another one and whose rows are not needed, with its values. */
export interface Preamble extends Statement {
  values: readonly unknown[];
}

/** A statement with its preambles. */
export interface Question {
  preambles: readonly Preamble[];
  /** `textOnly`: its columns, all of type text, are sent in the binary format. */
  statement: Statement & { textOnly?: boolean };
  values: readonly unknown[];
}

/** A statement and the callbacks that receive its answer. */
export interface Asked extends Question {
  /** @param count rows that it returned or changed */
  resolve: (rows: pg.QueryResultRow[], count: number) => void;
  reject: (error: Error) => void;
}

/** An earlier statement of the group failed, so PostgreSQL skipped the rest. */
export class NotRun extends Error {}

/**
 * Sends statements in one message group of the extended protocol before this function returns. PostgreSQL
 * answers them with one flush, which wakes this process once. It skips the statements after a failure.
 *
 * Without a `BEGIN` among them the group is one implicit transaction (protocol docs, "Pipelining"): a
 * `set_config(…, true)` ends with it and cannot leak to the next user of the connection, pooled or not. Each
 * statement has its own snapshot (READ COMMITTED). The preambles of each must replace every setting of the
 * earlier ones. A statement with a name is prepared on the connection together with its preambles. One
 * without a name is sent whole with them, which works through poolers without prepared statements.
 *
 * @param answerTimeoutMs maximum wait for the answers, in milliseconds, after which the connection is closed;
 *   0: no bound, or that of the connection
 * @returns the error that made the group fail, if any, when the connection is free again and each statement
 * is settled
 */
export function sendGroup(
  client: pg.ClientBase,
  group: readonly Asked[],
  answerTimeoutMs = 0,
): Promise<Error | undefined> {
  return new Promise((resolve) => {
    client.query(new MessageGroup([...group], answerTimeoutMs, (error) => resolve(error ?? undefined)));
  });
}

export interface Answer<T extends pg.QueryResultRow> {
  rows: T[];
  rowCount: number | null;
}

/**
 * Runs one statement after its preambles in one round trip. It has committed when the promise is fulfilled.
 */
export async function queryBehind<T extends pg.QueryResultRow>(
  client: pg.ClientBase,
  preambles: readonly Preamble[],
  statement: Question['statement'],
  values: readonly unknown[],
  answerTimeoutMs?: number,
): Promise<Answer<T>> {
  let answer: Answer<T> | undefined;
  let failure: Error | undefined;
  const resolve: Asked['resolve'] = (rows, rowCount) => (answer = { rows: rows as T[], rowCount });
  const reject: Asked['reject'] = (error) => (failure = error);
  const group = [{ preambles, statement, values, resolve, reject }];
  const ended = await sendGroup(client, group, answerTimeoutMs);
  if (ended !== undefined || answer === undefined) throw failure ?? ended;
  return answer;
}

/** The query configuration of pg, whose typings omit the timeout. */
interface BoundedQuery extends pg.QueryConfig {
  query_timeout: number;
}

/** @param answerTimeoutMs maximum wait for the answer, in milliseconds; 0: no bound */
export function endTransaction(
  client: pg.ClientBase,
  command: 'COMMIT' | 'ROLLBACK',
  answerTimeoutMs: number,
): Promise<pg.QueryResult> {
  const query: BoundedQuery = { text: command, query_timeout: answerTimeoutMs };
  return client.query(query);
}

/** The part of pg's connection that writes protocol messages, with the statements prepared by name. */
interface Wire {
  stream: Socket;
  submittedNamedStatements: Record<string, string>;
  parsedStatements: Record<string, string>;
  parse(message: { name: string; text: string; types: never[] }): void;
  describe(message: { type: 'S'; name: string }): void;
  bind(message: object): void;
  execute(message: { portal: string; rows: number }): void;
  close(message: { type: 'S'; name: string }): void;
  sync(): void;
}

interface Field {
  dataTypeID: number;
  format: 'text' | 'binary';
}

/** A query of pg with the methods that its typings omit. pg's pipeline accepts only its own class. */
interface Steps {
  prepare(wire: Wire): void;
  handleRowDescription(message: { fields: Field[] }): void;
  handleDataRow(message: { fields: unknown }): void;
  handleCommandComplete(message: { text: string }, wire: Wire): void;
  handleReadyForQuery(wire: Wire): void;
  handleError(error: Error, wire: Wire): void;
}

type Ended = (error: Error | null | undefined) => void;

const BaseQuery = pg.Query as unknown as new (
  config: { text: string; queryMode: 'extended' },
  values: unknown[],
  callback: Ended,
) => Steps & pg.Submittable;

/** How pg reads rows. */
interface Columns {
  addFields(fields: Field[]): void;
  parseRow(fields: unknown): pg.QueryResultRow;
}

const NewColumns = pg.Result as unknown as new (rowMode: '', types: pg.CustomTypesConfig) => Columns;

/** The described columns of each connection, by name of the statement. */
const describedBy = new WeakMap<Wire, Map<string, Columns>>();

/** The type `text`, as the protocol calls it. */
export const TEXT = 25;

class MessageGroup extends BaseQuery {
  private readonly columns: Columns[] = [];
  /** Names of the statements that this group prepares, by the place of the statement that needs them. */
  private readonly named: { place: number; name: string; text: string }[] = [];
  private current = 0;
  /** Statements of the current place that have completed. */
  private completed = 0;
  private found: pg.QueryResultRow[] = [];
  private unreadable: Error | undefined;
  private readonly settle: (() => void)[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly group: Asked[],
    private readonly answerTimeoutMs: number,
    callback: Ended,
  ) {
    // The group has no statement of its own, and the simple protocol has no groups.
    super({ text: '', queryMode: 'extended' }, [], callback);
  }

  override prepare(wire: Wire): void {
    for (const [place, { preambles, statement, values }] of this.group.entries()) {
      const isNamed = statement.name !== undefined;
      for (const { name, text, values: given } of preambles) {
        const preamble = isNamed ? (name ?? '') : '';
        if (!isKnown(wire, preamble)) this.parse(wire, place, preamble, text);
        run(wire, preamble, given, false);
      }
      this.columns.push(this.describe(wire, place, statement));
      run(wire, statement.name ?? '', values, statement.textOnly ?? false);
    }
    wire.sync();
    if (this.answerTimeoutMs > 0) this.timer = setTimeout(() => this.giveUp(wire), this.answerTimeoutMs);
  }

  /**
   * Replaces pg's `query_timeout`, whose timers kept rows alive
   * (docs/decisions/0028-what-kept-rows-alive.md).
   */
  private giveUp(wire: Wire): void {
    this.handleError(new Error('Query read timeout'), wire);
    wire.stream.destroy();
  }

  private parse(wire: Wire, place: number, name: string, text: string): void {
    wire.parse({ name, text, types: [] });
    if (name === '') return;
    wire.submittedNamedStatements[name] = text;
    this.named.push({ place, name, text });
  }

  /** The columns of a named statement are described once per connection. */
  private describe(wire: Wire, place: number, { name = '', text }: Statement): Columns {
    const described = describedBy.get(wire) ?? new Map<string, Columns>();
    describedBy.set(wire, described);
    const known = described.get(name);
    if (known !== undefined) return known;
    if (!isKnown(wire, name)) this.parse(wire, place, name, text);
    wire.describe({ type: 'S', name });
    const columns = new NewColumns('', rowTypes);
    if (name !== '') described.set(name, columns);
    return columns;
  }

  /** A statement is described before its format is chosen. The binary form of a text is the text. */
  override handleRowDescription({ fields }: { fields: Field[] }): void {
    if (this.group[this.current]?.statement.textOnly === true)
      for (const field of fields) field.format = field.dataTypeID === TEXT ? 'text' : 'binary';
    this.columns[this.current]?.addFields(fields);
  }

  override handleDataRow({ fields }: { fields: unknown }): void {
    const { current, completed } = this;
    if (completed < (this.group[current]?.preambles.length ?? 0)) return;
    try {
      const row = this.columns[current]?.parseRow(fields);
      if (row !== undefined) this.found.push(row);
    } catch (error) {
      // An error thrown here would end the process.
      this.unreadable = error as Error;
    }
  }

  override handleCommandComplete({ text }: { text: string }, wire: Wire): void {
    const { current, found, unreadable } = this;
    const asked = this.group[current];
    this.completed += 1;
    if (asked === undefined || this.completed <= asked.preambles.length) return;
    // "INSERT 0 3", "SELECT 1", "BEGIN".
    const count = Number(text.slice(text.lastIndexOf(' ') + 1)) || 0;
    this.settle.push(() => (unreadable ? asked.reject(unreadable) : asked.resolve(found, count)));
    for (const { place, name, text: parsed } of this.named)
      if (place === current) wire.parsedStatements[name] = parsed;
    Object.assign(this, { found: [], unreadable: undefined, completed: 0, current: current + 1 });
  }

  override handleReadyForQuery(wire: Wire): void {
    this.end();
    super.handleReadyForQuery(wire);
    Object.assign(this, { callback: undefined });
  }

  override handleError(error: Error, wire: Wire): void {
    // Whether these were prepared is unknown, so the next group prepares them again.
    for (const { name } of this.named.filter(({ place }) => place >= this.current)) {
      wire.close({ type: 'S', name });
      delete wire.submittedNamedStatements[name];
      describedBy.get(wire)?.delete(name);
    }
    const [failed, ...rest] = this.group.slice(this.current);
    this.end();
    failed?.reject(error);
    for (const asked of rest) asked.reject(new NotRun());
    super.handleError(error, wire);
  }

  /**
   * Settles the completed statements all at once: requests that are answered together wake their clients once
   * (docs/decisions/0037-reads-leave-in-flights.md). No answer is kept
   * (docs/decisions/0028-what-kept-rows-alive.md).
   */
  private end(): void {
    clearTimeout(this.timer);
    for (const settle of this.settle.splice(0)) settle();
    this.group.length = 0;
  }
}

function isKnown(wire: Wire, name: string): boolean {
  return (wire.parsedStatements[name] ?? wire.submittedNamedStatements[name]) !== undefined;
}

function run(wire: Wire, statement: string, values: readonly unknown[], binary: boolean): void {
  wire.bind({ portal: '', statement, values, valueMapper: utils.prepareValue, binary });
  wire.execute({ portal: '', rows: 0 });
}
