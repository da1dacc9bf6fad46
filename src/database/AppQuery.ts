import pg from 'pg';
import { rowTypes } from './types.js';

/** The part of pg's connection that writes protocol messages. */
export interface Wire {
  parse(message: { text: string; name: string; types: never[] }): void;
  sync(): void;
  submittedNamedStatements: Record<string, string>;
  bind(message: { portal: string; statement: string; values: unknown[] }): void;
  describe(message: { type: 'S'; name: string }): void;
  execute(message: { portal: string; rows: number }): void;
  stream: { write(bytes: Buffer): void };
}

export interface RowDescription {
  fields: { dataTypeID: number; format: 'text' | 'binary' }[];
}

/** pg's own query, with the steps that its typings leave out. */
interface PreparedQuery {
  prepare(wire: Wire): void;
  handleRowDescription(message: RowDescription): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, wire: Wire): void;
  handleReadyForQuery(wire: Wire): void;
  handleError(error: Error, wire: Wire): void;
  hasBeenParsed(wire: Wire): boolean;
}

/** A statement without values would else go by the simple protocol, which has no message groups. */
type ExtendedConfig = pg.QueryConfig & { types: pg.CustomTypesConfig; queryMode: 'extended' };

export const BaseQuery = pg.Query as unknown as new (
  config: ExtendedConfig,
  values: unknown[],
  callback: (error: Error | undefined, result: pg.QueryResult) => void,
) => PreparedQuery & pg.Submittable;

export const TEXT = 25;

/** The fields in which pg keeps the rows of a statement. */
export const WITHOUT_ROWS = { ['_result']: undefined, ['_results']: undefined };

/**
 * A statement that goes before another one in its message group, and its values. Without a name it is sent
 * whole.
 */
export interface Preamble {
  name?: string;
  text: string;
  values: readonly unknown[];
}

/**
 * One statement behind others whose rows nobody wants, in one round trip. All travel in one message group of
 * the extended protocol, of which PostgreSQL skips the rest when one of them fails.
 *
 * Without a `BEGIN` among them the group is one implicit transaction (protocol docs, "Pipelining"): a
 * `set_config(…, true)` ends with the statement and cannot leak to the next user of the connection, pooled or
 * not. Where the statement has a name, the others that have one must be prepared on the connection already;
 * without one all are sent whole, which works through poolers that do not know prepared statements.
 */
class AppQuery extends BaseQuery {
  declare private readonly name: string | undefined;
  private completed = 0;

  constructor(
    private readonly preambles: readonly Preamble[],
    config: ExtendedConfig,
    values: unknown[],
    callback: (error: Error | undefined, result: pg.QueryResult) => void,
  ) {
    super(config, values, callback);
  }

  override prepare(wire: Wire): void {
    const named = this.name !== undefined;
    for (const { name, text, values } of this.preambles) {
      const statement = (named ? name : undefined) ?? '';
      if (statement === '') wire.parse({ text, name: '', types: [] });
      wire.bind({ portal: '', statement, values: [...values] });
      wire.execute({ portal: '', rows: 0 });
    }
    super.prepare(wire);
  }

  /** The binary form of a text is the text: pg, which would take it for something else, need not know. */
  override handleRowDescription(message: RowDescription): void {
    for (const field of message.fields) if (field.dataTypeID === TEXT) field.format = 'text';
    super.handleRowDescription(message);
  }

  /** Rows that come before the last preamble has completed are the preambles' own. */
  override handleDataRow(message: unknown): void {
    if (this.completed >= this.preambles.length) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    this.completed += 1;
    if (this.completed > this.preambles.length) super.handleCommandComplete(message, wire);
  }

  /** An answered statement holds on to no rows (docs/decisions/0028-what-kept-rows-alive.md). */
  override handleReadyForQuery(wire: Wire): void {
    super.handleReadyForQuery(wire);
    Object.assign(this, WITHOUT_ROWS);
  }
}

/** Prepares a statement by its name, and does not run it. */
class PrepareQuery extends BaseQuery {
  constructor(
    private readonly statement: { name: string; text: string },
    callback: (error: Error | undefined) => void,
  ) {
    super({ ...statement, queryMode: 'extended', types: rowTypes }, [], callback);
  }

  override prepare(wire: Wire): void {
    wire.parse({ ...this.statement, types: [] });
    wire.submittedNamedStatements[this.statement.name] = this.statement.text;
    wire.sync();
  }
}

/** pg keeps the prepared names of a connection in fields that its typings leave out. */
interface WithPrepared {
  connection: Record<'parsedStatements' | 'submittedNamedStatements', Record<string, string | undefined>>;
}

/**
 * Runs a statement behind others in one round trip, sent before this returns. Where the statement has a name,
 * the others are prepared first, ahead of it in the same flight.
 */
export function queryBehind<T extends pg.QueryResultRow>(
  client: pg.ClientBase,
  preambles: readonly Preamble[],
  query: pg.QueryConfig,
  values: readonly unknown[],
): Promise<pg.QueryResult<T>> {
  if (query.name !== undefined) for (const preamble of preambles) prepare(client, preamble);
  return new Promise((resolve, reject) => {
    const config = { ...query, queryMode: 'extended', types: rowTypes } as const;
    client.query(new AppQuery(preambles, config, [...values], settling<T>({ resolve, reject })));
  });
}

interface Settle<T extends pg.QueryResultRow> {
  resolve: (result: pg.QueryResult<T>) => void;
  reject: (error: Error) => void;
}

/** pg's callback of a statement. It lets go of the promise, and so of its rows, with the answer. */
function settling<T extends pg.QueryResultRow>(
  given: Settle<T>,
): (error: Error | undefined, result: pg.QueryResult) => void {
  let promise: Settle<T> | undefined = given;
  return (error, result) => {
    const settled = promise;
    promise = undefined;
    if (error) settled?.reject(error);
    else settled?.resolve(result as pg.QueryResult<T>);
  };
}

/** What cannot be prepared fails with the statement that needs it. */
export function prepare(client: pg.ClientBase, { name, text }: Preamble): void {
  const { parsedStatements, submittedNamedStatements } = (client as unknown as WithPrepared).connection;
  if (name === undefined) return;
  if ((parsedStatements[name] ?? submittedNamedStatements[name]) === undefined)
    client.query(new PrepareQuery({ name, text }, () => undefined));
}
