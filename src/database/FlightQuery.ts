import type pg from 'pg';
import { BaseQuery, TEXT, WITHOUT_ROWS, prepare } from './AppQuery.js';
import type { Preamble, RowDescription, Wire } from './AppQuery.js';
import { rowTypes } from './types.js';

interface NamedStatement {
  name: string;
  text: string;
  /** Its columns, all of type text, are sent in the binary format. */
  binary: boolean;
}

/** A read behind its own preambles, and who waits for its rows. */
export interface FlightRead {
  preambles: readonly Preamble[];
  statement: NamedStatement;
  values: readonly unknown[];
  resolve: (rows: pg.QueryResultRow[]) => void;
  reject: (error: Error) => void;
}

/** A read ahead in the flight failed, with which PostgreSQL skips the rest. */
export class NotRun extends Error {}

/**
 * Sends prepared reads in one message group, one after another: PostgreSQL answers them with one flush, and
 * wakes this process once. They are one implicit transaction, in which each has its own snapshot (READ
 * COMMITTED). The preambles of each must replace every setting of those ahead of it.
 *
 * @returns when the connection is free for others; each read is settled by itself
 */
export function sendFlight(client: pg.ClientBase, reads: readonly FlightRead[]): Promise<void> {
  const described = reads.map(({ preambles, statement }) => {
    for (const preamble of preambles) prepare(client, preamble);
    return describe(client, statement);
  });
  return new Promise((resolve) => {
    client.query(new FlightQuery(reads, described, () => resolve()));
  });
}

/** A flight has no statement of its own. */
const NO_TEXT = '';

class FlightQuery extends BaseQuery {
  private readonly reads: (FlightRead | undefined)[];
  /** Which read is being answered. */
  private current = 0;
  /** Statements of the current read that have completed. */
  private completed = 0;
  private found: pg.QueryResultRow[] = [];

  constructor(
    reads: readonly FlightRead[],
    private readonly described: readonly DescribeQuery[],
    callback: () => void,
  ) {
    super({ text: NO_TEXT, queryMode: 'extended', types: rowTypes }, [], callback);
    this.reads = [...reads];
  }

  /** Writes all in one piece. pg's own way of binding values writes each of the reads. */
  override prepare(wire: Wire): void {
    const messages: Buffer[] = [];
    const collector = Object.create(wire, {
      _send: { value: (message: Buffer) => messages.push(message) },
      describe: { value: () => undefined },
      sync: { value: () => undefined },
    }) as Wire;
    for (const read of this.reads) {
      if (read === undefined) continue;
      for (const { name = '', values } of read.preambles) {
        collector.bind({ portal: '', statement: name, values: [...values] });
        collector.execute({ portal: '', rows: 0 });
      }
      Object.assign(this, read.statement, { values: read.values });
      super.prepare(collector);
    }
    Object.assign(this, { name: undefined, values: undefined });
    wire.stream.write(Buffer.concat(messages));
    wire.sync();
  }

  override handleDataRow({ fields }: { fields: unknown }): void {
    const { current, completed } = this;
    const preambles = this.reads[current]?.preambles.length ?? 0;
    const row = completed < preambles ? undefined : this.described[current]?.parse(fields);
    if (row !== undefined) this.found.push(row);
  }

  override handleCommandComplete(): void {
    const read = this.reads[this.current];
    this.completed += 1;
    if (read === undefined || this.completed <= read.preambles.length) return;
    read.resolve(this.found);
    this.found = [];
    this.completed = 0;
    this.reads[this.current] = undefined;
    this.current += 1;
  }

  /** An answered statement holds on to no rows (docs/decisions/0028-what-kept-rows-alive.md). */
  override handleReadyForQuery(wire: Wire): void {
    super.handleReadyForQuery(wire);
    Object.assign(this, WITHOUT_ROWS, { callback: undefined });
  }

  override handleError(error: Error, wire: Wire): void {
    const [failed, ...rest] = this.reads.splice(this.current);
    failed?.reject(error);
    for (const read of rest) read?.reject(new NotRun());
    super.handleError(error, wire);
  }
}

/** Prepares a statement by its name and learns its columns, which its answers then need not tell. */
class DescribeQuery extends BaseQuery {
  declare private readonly ['_result']: { parseRow(fields: unknown): pg.QueryResultRow };

  constructor(
    private readonly statement: NamedStatement,
    callback: (error: Error | undefined) => void,
  ) {
    super({ ...statement, queryMode: 'extended', types: rowTypes }, [], callback);
  }

  override prepare(wire: Wire): void {
    const { name, text } = this.statement;
    if (!this.hasBeenParsed(wire)) {
      wire.parse({ text, name, types: [] });
      wire.submittedNamedStatements[name] = text;
    }
    wire.describe({ type: 'S', name });
    wire.sync();
  }

  /** A statement is described before its format is asked for. */
  override handleRowDescription(message: RowDescription): void {
    if (this.statement.binary)
      for (const field of message.fields) field.format = field.dataTypeID === TEXT ? 'text' : 'binary';
    super.handleRowDescription(message);
  }

  parse(fields: unknown): pg.QueryResultRow {
    return this['_result'].parseRow(fields);
  }
}

/** What each connection has described, by name. */
const describedBy = new WeakMap<pg.ClientBase, Map<string, DescribeQuery>>();

/** What cannot be prepared fails with the read that needs it, and is tried anew for the next. */
function describe(client: pg.ClientBase, statement: NamedStatement): DescribeQuery {
  const described = describedBy.get(client) ?? new Map<string, DescribeQuery>();
  describedBy.set(client, described);
  const known = described.get(statement.name);
  if (known !== undefined) return known;
  const query = new DescribeQuery(statement, (error) => {
    if (error) described.delete(statement.name);
  });
  described.set(statement.name, query);
  client.query(query);
  return query;
}
