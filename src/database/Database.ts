import type pg from 'pg';
import utils from 'pg/lib/utils.js';
import { atMost } from '../concurrency/atMost.js';
import type { Turns } from '../concurrency/Turns.js';
import { readDistribution } from './Distribution.js';
import type { Distribution } from './Distribution.js';
import { endTransaction, NotRun, queryBehind, sendGroup } from './MessageGroup.js';
import type { Question } from './MessageGroup.js';
import { bounded, openRead } from './openings.js';
import type { TransactionOptions } from './openings.js';
import { openPools } from './openPools.js';
import type { PoolOptions, Pools } from './openPools.js';
import type { Journal } from './RevocationJournal.js';
import { SharedConnections } from './SharedConnections.js';
import type { Sharing, Waiting } from './SharedConnections.js';
import { statementSpan, summaryOf } from '../telemetry/statementSpan.js';
import type { Tracing } from '../telemetry/tracing.js';
import { DEADLOCK, FOREIGN_KEY_VIOLATION, isConnectionLost, sqlState } from './sqlState.js';
import { statementName } from './statementName.js';
import { Transaction } from './Transaction.js';
import type { Row } from './Row.js';

/** A statement with the name under which connections keep it prepared. The name must be unique per text. */
export interface Query {
  name: string;
  text: string;
  /**
   * The statement is planned once per connection instead of for every value. For statements whose best plan
   * does not depend on values. With a list among its values PostgreSQL would plan every time, which costs
   * more than reading a few rows.
   */
  onePlan?: boolean;
  /**
   * Every column is of type text and is sent in the binary format, which is its bytes. In the text format
   * PostgreSQL first searches for the end of every value: 6 % of the processor time of a profile's read
   * without this (docs/decisions/0036-what-small-tricks-of-a-read-buy.md).
   */
  textOnly?: boolean;
  /** Uses a connection of its own: it reads too much for other reads to wait behind it. */
  alone?: boolean;
  /**
   * Reads the first rows in the order of an index and never sorts all matching rows. For `read` of a table
   * that grows and shrinks: its plan may have been made when few rows matched.
   */
  inOrder?: boolean;
  /**
   * The same for several apps at once (`forReadsOfApps`). Each parameter is a list of the value of each read;
   * lists in it are text. A row's column `place` is the number of its read.
   */
  forApps?: string;
}

export interface DatabaseOptions extends PoolOptions {
  /**
   * Maximum wait for the answer to a statement, in milliseconds; absent: no bound. After it the connection is
   * closed too.
   */
  answerTimeoutMs?: number;
  /**
   * Maximum time of PostgreSQL for one statement, in milliseconds, including waits for locks; absent: no
   * bound.
   */
  statementTimeoutMs?: number;
  /**
   * How reads of apps share connections of the pool; absent: each read has its own. Only with prepared
   * statements.
   */
  sharing?: Sharing;
  /** Makes what bounds the concurrent transactions of one app, apart for urgent work; absent: unbounded. */
  newTurns?: () => Turns;
  /** The journal to which withdrawals are written before they commit, if any. */
  journal?: Journal | undefined;
  /** Creates a span for every statement, if given. */
  tracing?: Tracing | undefined;
}

/** A read of one app. */
interface AppRead {
  appId: string;
  query: Query;
  values: readonly unknown[];
}

type WaitingRead = Waiting<AppRead, Row[]>;

/** A statement on tables that belong to no app. */
interface UnscopedStatement extends Pick<Query, 'text' | 'inOrder'> {
  name: string | undefined;
}

/** SQLSTATEs after which the same work may succeed. A row it refers to may have been erased meanwhile. */
const RETRYABLE = new Set(['40001', DEADLOCK, FOREIGN_KEY_VIOLATION]);
const MAX_TRIES = 5;

/** How many times as long as requests background work waits for an answer. */
const PATIENCE = 30;

/** Maximum wait of a connection outside the pool for the server, in milliseconds. */
const CLIENT_LIMIT_MS = 5000;

/** Maximum wait for the statements in progress when closing, in milliseconds. */
const CLOSE_MS = 1000;

/**
 * Access to PostgreSQL. Statements of an app run under row level security, with `consent.app_id` set only for
 * their transaction. Statements on directory tables, which belong to no app, run by `read`.
 */
export class Database {
  readonly pool: pg.Pool;
  private readonly pools: Pools;
  private readonly mayUseReserve: boolean;
  private readonly prepared: boolean;
  /** 0: none. */
  private readonly answerTimeoutMs: number;
  /** As PostgreSQL takes it; 0: none. */
  private readonly statementTimeout: string;
  private readonly shared: SharedConnections<AppRead, Row[]> | undefined;
  private readonly turns: Turns | undefined;
  private urgentView: Database | undefined;

  /** @param pools the connections of another instance, to share them */
  constructor(
    private readonly options: DatabaseOptions,
    pools?: Pools,
    mayUseReserve = false,
  ) {
    this.prepared = options.prepared ?? true;
    this.answerTimeoutMs = options.answerTimeoutMs ?? 0;
    this.statementTimeout = String(options.statementTimeoutMs ?? 0);
    this.pools = pools ?? openPools(options);
    this.pool = this.pools.main.pool;
    this.turns = options.newTurns?.();
    this.mayUseReserve = mayUseReserve;
    const source = {
      checkOut: () => this.checkOut(),
      checkIn: (client: pg.PoolClient, broken: boolean) => client.release(broken),
      readTogether: (client: pg.PoolClient, reads: readonly WaitingRead[]) =>
        this.readTogether(client, reads),
      readAlone: (read: AppRead) => this.readApart(read),
    };
    this.shared =
      options.sharing && this.prepared ? new SharedConnections(source, options.sharing) : undefined;
  }

  /**
   * The same connections for background work. Its statements share none, and its transactions have no turns.
   * PostgreSQL takes as long for them as it needs; the wait for the answer is bounded, because a connection
   * may have died silently.
   */
  patient(): Database {
    const { statementTimeoutMs: _unbounded, sharing: _own, newTurns: _foreground, ...options } = this.options;
    return new Database({ ...options, answerTimeoutMs: this.answerTimeoutMs * PATIENCE }, this.pools);
  }

  /** The same connections, with other turns for its transactions; undefined: unbounded. */
  withTurns(turns: Turns | undefined): Database {
    const { newTurns: _others, ...options } = this.options;
    return new Database(turns === undefined ? options : { ...options, newTurns: () => turns }, this.pools);
  }

  /**
   * The same connections, and the reserved ones when all others are in use. For withdrawals and the
   * authentication of those who request them. Statements must be short.
   */
  get urgent(): Database {
    const { sharing: _own, ...options } = this.options;
    return (this.urgentView ??= new Database(options, this.pools, true));
  }

  /** Connections only for urgent work, if any are reserved. */
  get reserve(): pg.Pool | undefined {
    return this.pools.reserve?.pool;
  }

  /** The given URL, with all of its hosts. */
  get url(): string {
    return this.options.url;
  }

  /** A connection outside the pool, not yet opened. A server that hangs fails it after five seconds. */
  newClient(applicationName: string): pg.Client {
    const { Client, connectionString } = this.pools.login;
    return new Client({
      connectionString,
      application_name: applicationName,
      connectionTimeoutMillis: CLIENT_LIMIT_MS,
      query_timeout: CLIENT_LIMIT_MS,
    });
  }

  /** Runs one prepared statement as the app, in one round trip. */
  readAs<T extends object = Row>(appId: string, query: Query, values: unknown[]): Promise<T[]> {
    const send = (): Promise<Row[]> => this.sendAs({ appId, query, values });
    const rows = this.options.tracing?.inSpan(statementSpan(query.name), send) ?? send();
    return rows as Promise<T[]>;
  }

  private sendAs(read: AppRead): Promise<Row[]> {
    if (this.shared === undefined) return this.readAlone((client) => this.sendRead(client, read));
    return read.query.alone === true ? this.readApart(read) : this.shared.read(read);
  }

  /** Hanging reads of one app leave connections for other apps. */
  private readApart(read: AppRead): Promise<Row[]> {
    const { apart } = this.options.sharing ?? {};
    const send = (): Promise<Row[]> => this.readAlone((client) => this.sendRead(client, read));
    return apart === undefined ? send() : apart.run(read.appId, send);
  }

  private async sendRead(client: pg.PoolClient, read: AppRead): Promise<Row[]> {
    const { preambles, statement, values } = this.question(read);
    const sent = queryBehind(client, preambles, statement, values, this.answerTimeoutMs);
    const { rows } = await (this.distribution === 'citus'
      ? endRead(client, sent, this.answerTimeoutMs)
      : sent);
    return rows;
  }

  /** On Citus a transaction of several apps would span shards, so each read has its own transaction there. */
  private async readTogether(client: pg.PoolClient, reads: readonly WaitingRead[]): Promise<void> {
    if (this.distribution === 'citus')
      await Promise.all(
        reads.map(({ read, resolve, reject }) => this.sendRead(client, read).then(resolve, reject)),
      );
    else
      await sendGroup(
        client,
        gathered(reads).map(({ read, resolve, reject }) => ({ ...this.question(read), resolve, reject })),
        this.answerTimeoutMs,
      );
  }

  private question({ appId, query, values }: AppRead): Question {
    const onePlan = query.onePlan === true && this.prepared;
    return {
      preambles: openRead(this.distribution, appId, this.statementTimeout, onePlan),
      statement: this.prepared ? query : { ...query, name: undefined },
      values,
    };
  }

  /** Whether the apps' rows may be on several nodes. */
  async isDistributed(): Promise<boolean> {
    if (this.pools.distribution === undefined) (await this.checkOut()).release();
    return this.distribution === 'citus';
  }

  /** Runs one prepared statement on tables that belong to no app. */
  read<T extends object = Row>(query: Query, values: unknown[] = []): Promise<T[]> {
    return this.send<T>(query.name, query, values);
  }

  /** Runs one statement on tables that belong to no app, prepared under the name of its text. */
  query<T extends object = Row>(text: string, values: readonly unknown[] = []): Promise<T[]> {
    return this.send<T>(summaryOf(text), { name: statementName(text), text }, values);
  }

  private send<T extends object>(
    summary: string,
    statement: UnscopedStatement,
    values: readonly unknown[],
  ): Promise<T[]> {
    const send = (): Promise<T[]> => this.sendAlone(statement, values);
    return this.options.tracing?.inSpan(statementSpan(summary), send) ?? send();
  }

  private async sendAlone<T extends object>(
    { name, text, inOrder = false }: UnscopedStatement,
    values: readonly unknown[],
  ): Promise<T[]> {
    const statement = this.prepared && name !== undefined ? { name, text } : { text };
    const preambles = [bounded(this.statementTimeout, inOrder)];
    const result = await this.readAlone((client) =>
      queryBehind<T>(client, preambles, statement, values, this.answerTimeoutMs),
    );
    return result.rows;
  }

  /**
   * Runs `work` in one transaction, as the app when one is given. It is repeated as a whole after a lost race
   * (`RETRYABLE`), so `work` must have no effect outside the transaction except through `afterCommit`.
   */
  transaction<T>(
    appId: string | null,
    work: (tx: Transaction) => Promise<T>,
    options: TransactionOptions = {},
  ): Promise<T> {
    const attempts = (): Promise<T> => retried(() => this.attempt(appId, work, options));
    return appId === null || this.turns === undefined ? attempts() : this.turns.run(appId, attempts);
  }

  /** Waits for statements in progress, but not for one that takes long. */
  async close(): Promise<void> {
    const ended = Promise.all([this.pools.main.pool.end(), this.pools.reserve?.pool.end()]);
    await atMost(CLOSE_MS, ended);
    this.pools.login.primary?.close();
  }

  /** Known after the first connection was checked out. */
  private get distribution(): Distribution {
    return this.pools.distribution ?? 'none';
  }

  /** A read is sent again if it ended by a deadlock with a migration that changes its tables. */
  private readAlone<T>(send: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return retried(() => this.readOnce(send));
  }

  private async readOnce<T>(send: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.checkOut();
    let broken = false;
    try {
      return await send(client);
    } catch (error) {
      broken = isConnectionLost(error);
      throw error;
    } finally {
      client.release(broken);
    }
  }

  private async checkOut(): Promise<pg.PoolClient> {
    const { main, reserve } = this.pools;
    const pool = this.mayUseReserve && reserve !== undefined && isTaken(main.pool) ? reserve : main;
    const client = await pool.connect();
    if (this.pools.distribution === undefined) await this.askDistribution(client);
    return client;
  }

  private async askDistribution(client: pg.PoolClient): Promise<void> {
    try {
      this.pools.distribution = await readDistribution(client, this.answerTimeoutMs);
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  private async attempt<T>(
    appId: string | null,
    work: (tx: Transaction) => Promise<T>,
    options: TransactionOptions,
  ): Promise<T> {
    const client = await this.checkOut();
    const tx = new Transaction(client, appId, {
      ...options,
      prepared: this.prepared,
      distribution: this.distribution,
      statementTimeout: this.statementTimeout,
      answerTimeoutMs: this.answerTimeoutMs,
      journal: this.options.journal,
      tracing: this.options.tracing,
    });
    let broken = false;
    try {
      const result = await work(tx);
      await tx.commit();
      return result;
    } catch (error) {
      const cause = tx.causeOf(error);
      broken = isConnectionLost(cause) || !(await tx.rollBack());
      throw cause;
    } finally {
      client.release(broken);
    }
  }
}

async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries >= MAX_TRIES || !RETRYABLE.has(sqlState(error))) throw error;
    }
  }
}

/** Gathers the reads of each query that can read for several apps. */
function gathered(reads: readonly WaitingRead[]): WaitingRead[] {
  const queries = new Map(reads.map(({ read: { query } }) => [query.name, query]));
  return [...queries.values()].flatMap((query) => {
    const alike = reads.filter(({ read }) => read.query.name === query.name);
    return query.forApps && alike.length > 1 ? [together(alike, query, query.forApps)] : alike;
  });
}

/**
 * One statement for reads of the same query. None is told another's failure: they are told that they did not
 * run, or that the connection broke, and so are sent again alone.
 */
function together(reads: readonly WaitingRead[], query: Query, forApps: string): WaitingRead {
  const own = reads.map(({ read }) => read.values.map(utils.prepareValue));
  const values = own[0]?.map((_, column) => own.map((row) => row[column])) ?? [];
  return {
    read: { appId: '', query: { ...query, name: `${query.name}_for_apps`, text: forApps }, values },
    resolve: (rows) => {
      const found = reads.map((): Row[] => []);
      for (const { place, ...row } of rows) found[Number(place) - 1]?.push(row);
      for (const [index, { resolve }] of reads.entries()) resolve(found[index] ?? []);
    },
    reject: (error) => {
      for (const { reject } of reads) reject(isConnectionLost(error) ? error : new NotRun());
    },
  };
}

/** Whether the next request for a connection would wait. */
function isTaken(pool: pg.Pool): boolean {
  return pool.waitingCount > 0 || (pool.idleCount === 0 && pool.totalCount >= pool.options.max);
}

/** Ends the transaction of a read in the same flight. After a failed read the commit rolls back. */
async function endRead<T>(client: pg.PoolClient, read: Promise<T>, answerTimeoutMs: number): Promise<T> {
  const [result, ended] = await Promise.allSettled([read, endTransaction(client, 'COMMIT', answerTimeoutMs)]);
  if (result.status === 'rejected') throw result.reason;
  if (ended.status === 'rejected') throw ended.reason;
  return result.value;
}
