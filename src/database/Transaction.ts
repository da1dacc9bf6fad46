import type pg from 'pg';
import { endTransaction, queryBehind } from './MessageGroup.js';
import type { Answer } from './MessageGroup.js';
import { commitJournaled, RolledBack } from './commitJournaled.js';
import type { Journal, JournalEntry } from './RevocationJournal.js';
import type { Row } from './Row.js';
import { LOCKS_SURE_MS, openTransaction } from './openings.js';
import type { OpeningOptions, TransactionOptions } from './openings.js';
import { statementSpan, summaryOf } from '../telemetry/statementSpan.js';
import type { Tracing } from '../telemetry/tracing.js';
import { statementName } from './statementName.js';

/** How the connection's database runs transactions. */
export interface ConnectionOptions extends OpeningOptions {
  prepared: boolean;
  /** Maximum wait for an answer, in milliseconds, after which the connection is closed; 0: no bound. */
  answerTimeoutMs: number;
  /** Where what must not come back is written before the commit; absent: nowhere. */
  journal?: Journal | undefined;
  tracing?: Tracing | undefined;
}

const ABORTED = '25P02';

const SORTING = `SELECT set_config('enable_sort', $1, true)`;

/**
 * One open transaction. Statements run one after another in the order in which they were called; hooks run
 * only when the commit was answered.
 *
 * `BEGIN` is sent in the message group of the first statement, which PostgreSQL skips if `BEGIN` fails. The
 * statements sent with `send` and the commit after them are one flight. After a failure PostgreSQL answers
 * the commit with `ROLLBACK`, which is reported as an error.
 */
export class Transaction {
  private readonly entries: JournalEntry[] = [];
  private readonly hooks: (() => void)[] = [];
  private readonly closing: (() => Promise<void>)[] = [];
  private readonly sent: Promise<void>[] = [];
  private failure: unknown;
  /** On the monotonic clock; undefined before the first statement. */
  private begunAt: number | undefined;
  /** Without prepared statements each message waits for the answer to the one before it. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly client: pg.ClientBase,
    readonly appId: string | null,
    private readonly options: TransactionOptions & ConnectionOptions,
  ) {}

  /** Its app. @throws Error when it has none */
  get app(): string {
    if (this.appId === null) throw new Error('The transaction is of no app.');
    return this.appId;
  }

  async query<T extends object = Row>(text: string, values: readonly unknown[] = []): Promise<T[]> {
    const result = await this.run<T>(text, values);
    return result.rows;
  }

  /**
   * As `query`, but forbids a sort, so that PostgreSQL reads the rows from the index in whose order they are
   * asked for. While a table is small, an index that begins with the app alone looks as good as the one that
   * finds the rows, and the plan stays when the table has grown.
   */
  async queryInOrder<T extends object = Row>(text: string, values: readonly unknown[] = []): Promise<T[]> {
    this.send(SORTING, ['off']);
    const rows = this.query<T>(text, values);
    this.send(SORTING, ['on']);
    return rows;
  }

  /** The only row that the statement returns, or undefined. */
  async one<T extends object = Row>(text: string, values: readonly unknown[] = []): Promise<T | undefined> {
    const rows = await this.query<T>(text, values);
    return rows[0];
  }

  /** The number of rows that a statement changed. */
  async execute(text: string, values: readonly unknown[] = []): Promise<number> {
    const result = await this.run(text, values);
    return result.rowCount ?? 0;
  }

  /**
   * Sends a statement on whose answer nothing in the transaction depends. Later statements run after it. Its
   * failure makes the commit fail.
   *
   * @param answered receives the number of changed rows, before the hooks of the commit run
   */
  send(
    text: string,
    values: readonly unknown[] = [],
    answered: (rows: number) => void = () => undefined,
  ): void {
    const sent = this.execute(text, values).then(answered);
    this.sent.push(sent);
    sent.catch(() => undefined);
  }

  /**
   * Runs work at the end of the transaction, in the order of the calls. For locks that should be held
   * briefly.
   */
  beforeCommit(work: () => Promise<void>): void {
    this.closing.push(work);
  }

  afterCommit(hook: () => void): void {
    this.hooks.push(hook);
  }

  /** Has what must not come back written to the journal, if any, just before the commit. */
  toJournal(entry: JournalEntry): void {
    this.entries.push(entry);
  }

  /**
   * @throws the error of a statement that was only sent; RolledBack when PostgreSQL answers the commit with a
   * rollback
   */
  async commit(): Promise<void> {
    for (const work of this.closing) await work();
    const { journal } = this.options;
    if (journal === undefined || this.entries.length === 0) await this.endSent();
    else {
      // What fails until here leaves nothing in the journal.
      await Promise.all(this.sent);
      await commitJournaled(journal, this.entries, () => this.endSent());
    }
    for (const hook of this.hooks) hook();
  }

  /** Commits what was sent. */
  private async endSent(): Promise<void> {
    if (this.begunAt === undefined) return;
    const [commit] = await Promise.all([this.end('COMMIT'), ...this.sent]);
    if (commit.command !== 'COMMIT') throw new RolledBack();
  }

  /**
   * Whether its locks are held for certain. Whoever sends something under them asks in the same turn: a
   * process that wakes after a long pause reads answers from before it.
   */
  get locksAreSure(): boolean {
    return this.begunAt !== undefined && performance.now() - this.begunAt < LOCKS_SURE_MS;
  }

  /** Whether the connection may be used again. */
  async rollBack(): Promise<boolean> {
    if (this.begunAt === undefined) return true;
    try {
      await this.end('ROLLBACK');
      return true;
    } catch {
      return false;
    }
  }

  /** A statement in an aborted transaction fails with the error of the earlier statement that aborted it. */
  causeOf(error: unknown): unknown {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code === ABORTED ? (this.failure ?? error) : error;
  }

  private run<T extends object>(text: string, values: readonly unknown[]): Promise<Answer<T>> {
    const preambles = this.begunAt === undefined ? openTransaction(this.appId, this.options) : [];
    this.begunAt ??= performance.now();
    const name = this.options.prepared && this.options.byKeys ? statementName(text) : undefined;
    const query = name === undefined ? { text } : { name: `keyed_${name}`, text };
    const { tracing, answerTimeoutMs } = this.options;
    const send = (): Promise<Answer<T>> =>
      queryBehind<T>(this.client, preambles, query, values, answerTimeoutMs);
    const answer = this.inOrder(() => tracing?.inSpan(statementSpan(summaryOf(text)), send) ?? send());
    answer.catch((error: unknown) => (this.failure ??= error));
    return answer;
  }

  private end(command: 'COMMIT' | 'ROLLBACK'): Promise<pg.QueryResult> {
    return this.inOrder(() => endTransaction(this.client, command, this.options.answerTimeoutMs));
  }

  private inOrder<T>(send: () => Promise<T>): Promise<T> {
    if (this.options.prepared) return send();
    const sent = this.last.then(send);
    this.last = sent.catch(() => undefined);
    return sent;
  }
}
