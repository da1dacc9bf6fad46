import { setTimeout as sleep } from 'node:timers/promises';
import { RETRY } from '../database/workQueue.js';
import type { Queue } from '../database/workQueue.js';
import type { Services } from '../Services.js';
import { isReadOnly, isTransient } from '../database/sqlState.js';
import { backOff } from '../domain/backOff.js';
import type { SpanStart } from '../telemetry/tracing.js';
import { DueWork } from './DueWork.js';
import type { Task } from './DueWork.js';
import { WorkLoop } from './WorkLoop.js';

/**
 * `more`: there is more to do at once. `done`: there is nothing to do now. `locked`: another worker has
 * locked the subject.
 */
export type WorkOutcome = 'more' | 'done' | 'locked';

export interface QueueWorkerOptions {
  queue: Queue;
  /** Subjects that this process works on at the same time. */
  concurrency: number;
  /** Maximum subjects of one app, so that a worker is left to others; absent: no maximum. */
  perApp?: number;
  /** Interval between reads of the queue without a signal, in milliseconds. */
  pollMs: number;
  /** Which subjects it works on, when others of the queue have their own worker; absent: all. */
  takes?: (subject: string) => boolean;
  /**
   * Does part of a subject's work, in its own transactions. No outcome: `done`. Long work ends soon after
   * `stopping`.
   */
  work: (
    services: Services,
    appId: string,
    subject: string,
    stopping: AbortSignal,
  ) => Promise<WorkOutcome | void>;
}

/** How long a subject is worked on while others may wait, in milliseconds. */
const TURN_MS = 1000;

/**
 * Delay of work that failed for its own reasons, in milliseconds. Without it such work would fill the window.
 */
const POSTPONE_MS = 5000;

/**
 * The first rest of a worker while the database takes no writes, in milliseconds. The next ones are each
 * twice as long, up to the longest.
 */
const FIRST_REST_MS = 500;
const MAX_REST_MS = 5000;

/**
 * The pause of a worker that found its subject locked, in milliseconds. Where many are locked, trying one
 * after the other would take the processor from those who hold the locks.
 */
const LOCKED_PAUSE_MS = 10;

/**
 * Works a queue. It leaves claiming to `work`, which locks the subject's own row. A signal is only a hint:
 * reading finds everything. A subject is left after a second, so that no app waits until the work of another
 * one is done.
 */
export class QueueWorker {
  private readonly busy = new Map<string, Promise<void>>();
  /** Subjects that others hold or that just failed. Reading them again at once would spin. */
  private readonly resting = new Set<string>();
  /** How often in a row, after a rest each, the database took no writes. */
  private refusals = 0;
  /** By `performance.now()`. */
  private restsUntil = 0;
  private readonly loop: WorkLoop;
  private readonly due: DueWork;
  private readonly stopping = new AbortController();

  constructor(
    private readonly services: Services,
    private readonly options: QueueWorkerOptions,
  ) {
    const { queue, pollMs } = options;
    this.due = new DueWork(services.database, queue);
    this.loop = new WorkLoop({
      queue,
      pollMs,
      round: async () => {
        await this.look();
        // The loop is woken when one of the started tasks ends.
        return false;
      },
      onError: (error) => services.log.warn({ err: error, queue }, 'cannot look for work'),
    });
  }

  start(): void {
    this.loop.start();
  }

  /** Stops looking and waits for the work in progress. Unfinished work stays in the queue. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.loop.stop();
    await Promise.allSettled(this.busy.values());
  }

  /** Starts work on found subjects, as many as there is room for. */
  private async look(): Promise<void> {
    const { concurrency, perApp = Infinity, takes = () => true } = this.options;
    const room = this.refusals === 0 ? concurrency : 1;
    if (this.busy.size >= room || performance.now() < this.restsUntil) return;
    const found = await this.due.find(this.services.clock());
    for (const task of found) {
      const isFree = !this.busy.has(nameOf(task)) && !this.resting.has(nameOf(task));
      if (takes(task.subject) && isFree && this.busy.size < room && this.busyFor(task) < perApp)
        this.begin(task);
    }
  }

  /** Subjects in work of the task's app. */
  private busyFor({ app_id }: Task): number {
    return [...this.busy.keys()].filter((name) => name.startsWith(`${app_id}/`)).length;
  }

  private begin(task: Task): void {
    const name = nameOf(task);
    const done = this.work(task).finally(() => {
      this.busy.delete(name);
      this.loop.wake();
    });
    this.busy.set(name, done);
  }

  private async work(task: Task): Promise<void> {
    try {
      const until = performance.now() + TURN_MS;
      let outcome: WorkOutcome | void = 'more';
      while (outcome === 'more' && !this.stopping.signal.aborted && performance.now() < until)
        outcome = await this.step(task);
      this.endRests();
      if (outcome !== 'locked') return;
      this.rest(task);
      await sleep(LOCKED_PAUSE_MS);
    } catch (error) {
      this.rest(task);
      await this.report(task, error);
    }
  }

  private async step({ app_id: appId, subject }: Task): Promise<WorkOutcome | void> {
    const { queue, work } = this.options;
    const attributes = { 'consent.queue': queue, 'consent.app_id': appId, 'consent.subject': subject };
    const span: SpanStart = { name: `work ${queue}`, kind: 'consumer', attributes };
    const step = (): Promise<WorkOutcome | void> => work(this.services, appId, subject, this.stopping.signal);
    return this.services.tracing?.inSpan(span, step) ?? step();
  }

  private rest(task: Task): void {
    const name = nameOf(task);
    this.resting.add(name);
    setTimeout(() => this.resting.delete(name), this.options.pollMs).unref();
  }

  /** Without it each subject would be tried in turn, with a new connection and a message each. */
  private restAll(error: unknown): void {
    // What began before a rest belongs to the refusal that led to it.
    if (performance.now() < this.restsUntil) return;
    const { queue } = this.options;
    if (this.refusals === 0)
      this.services.log.error(
        { err: error, queue },
        'the database takes no writes: work rests until it does',
      );
    this.restsUntil = performance.now() + backOff(this.refusals, FIRST_REST_MS, MAX_REST_MS);
    this.refusals += 1;
  }

  private endRests(): void {
    if (this.refusals === 0) return;
    this.refusals = 0;
    this.services.log.info({ queue: this.options.queue }, 'the database takes writes again');
  }

  private async report({ app_id, subject }: Task, error: unknown): Promise<void> {
    const { queue } = this.options;
    // Of a cluster it may be one node, and work on the others goes on.
    if (isReadOnly(error) && !(await this.services.database.isDistributed())) return this.restAll(error);
    this.services.log.error({ err: error, queue, app_id, subject }, 'work failed');
    if (isTransient(error)) return;
    const readyAt = new Date(this.services.clock().getTime() + POSTPONE_MS);
    try {
      await this.services.database.read(RETRY, [app_id, queue, subject, readyAt]);
    } catch (failure) {
      this.services.log.warn({ err: failure, queue, app_id, subject }, 'work could not be postponed');
    }
  }
}

function nameOf({ app_id, subject }: Task): string {
  return `${app_id}/${subject}`;
}
