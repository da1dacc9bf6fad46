import { lookForWork } from '../database/lookForWork.js';
import { POSTPONE } from '../database/workQueue.js';
import type { Queue } from '../database/workQueue.js';
import type { Services } from '../Services.js';
import { isPassing } from '../database/sqlState.js';
import type { SpanStart } from '../telemetry/tracing.js';
import { WorkLoop } from './WorkLoop.js';

/**
 * `more`: there is more to do at once. `done`: there is nothing to do now. `locked`: another worker has
 * locked the subject. `true` means `more`, `false` means `done`.
 */
export type WorkOutcome = 'more' | 'done' | 'locked';

export interface QueueWorkerOptions {
  queue: Queue;
  /** Subjects that this process works on at the same time. */
  concurrency: number;
  /**
   * Maximum subjects of one app; absent: no maximum. With one, apps take turns when much waits, and a subject
   * is left after a second, so that no app waits until the queue of another one is empty.
   */
  perApp?: number;
  /** Interval between reads of the queue without a signal, in milliseconds. */
  pollMs: number;
  /** Does part of a subject's work, in its own transactions. */
  work: (services: Services, appId: string, subject: string) => Promise<boolean | WorkOutcome>;
}

interface Task extends Record<string, unknown> {
  app_id: string;
  subject: string;
}

/** Subjects of one read: more than are worked on, and shuffled, so that workers rarely collide. */
const WINDOW = 200;

/** Subjects of one read of apps in turn. */
const TURN = 20;

/** How long a subject is worked on while others may wait, in milliseconds. */
const TURN_MS = 1000;

/**
 * Delay of work that failed for its own reasons, in milliseconds. Without it such work would fill the window.
 */
const POSTPONE_MS = 5000;

/**
 * Works a queue. It finds subjects by reading `work_queue` without locks, so that one statement serves every
 * app, and leaves claiming to `work`, which locks the subject's own row. A signal is only a hint: reading
 * finds everything.
 */
export class QueueWorker {
  private readonly busy = new Map<string, Promise<void>>();
  /**
   * Subjects that others hold or that just failed, and until when they are skipped. Reading them again at
   * once would spin.
   */
  private readonly resting = new Map<string, number>();
  private readonly loop: WorkLoop;
  /** The last app that had its turn. */
  private lastApp = '';
  private stopping = false;

  constructor(
    private readonly services: Services,
    private readonly options: QueueWorkerOptions,
  ) {
    const { queue, pollMs } = options;
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
    this.stopping = true;
    await this.loop.stop();
    await Promise.allSettled(this.busy.values());
  }

  /** Starts work on found subjects, as many as there is room for. */
  private async look(): Promise<void> {
    const { concurrency, perApp = Infinity, queue } = this.options;
    if (this.busy.size >= concurrency) return;
    const { database, clock } = this.services;
    const oldest = await lookForWork<Task>(database, FIND, [queue, clock()]);
    const inTurn = this.takesTurns && oldest.length === WINDOW ? await this.findInTurn() : [];
    this.forgetRested();
    for (const task of [...shuffled(inTurn), ...shuffled(oldest)]) {
      const isFree = !this.busy.has(nameOf(task)) && !this.resting.has(nameOf(task));
      if (isFree && this.busy.size < concurrency && this.busyFor(task) < perApp) this.begin(task);
    }
  }

  private get takesTurns(): boolean {
    return this.options.perApp !== undefined;
  }

  /** Subjects of the apps behind the last one that had its turn. */
  private async findInTurn(): Promise<Task[]> {
    const { database, clock } = this.services;
    const values = [this.options.queue, clock(), this.lastApp];
    const found = await lookForWork<Task>(database, FIND_IN_TURN, values);
    // Several nodes may have answered, each from the same app on.
    const tasks = found.toSorted((a, b) => (a.app_id < b.app_id ? -1 : 1)).slice(0, TURN);
    this.lastApp = tasks.at(-1)?.app_id ?? '';
    return tasks;
  }

  /** Subjects in work of the task's app. */
  private busyFor({ app_id }: Task): number {
    return [...this.busy.keys()].filter((name) => name.startsWith(`${app_id}/`)).length;
  }

  private forgetRested(): void {
    const now = performance.now();
    for (const [name, until] of this.resting) if (until <= now) this.resting.delete(name);
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
      const until = performance.now() + (this.takesTurns ? TURN_MS : Infinity);
      let outcome: boolean | WorkOutcome = 'more';
      while ((outcome === 'more' || outcome === true) && !this.stopping && performance.now() < until)
        outcome = await this.step(task);
      if (outcome === 'locked') this.rest(task);
    } catch (error) {
      this.rest(task);
      await this.report(task, error);
    }
  }

  private async step({ app_id: appId, subject }: Task): Promise<boolean | WorkOutcome> {
    const { queue, work } = this.options;
    const attributes = { 'consent.queue': queue, 'consent.app_id': appId, 'consent.subject': subject };
    const span: SpanStart = { name: `work ${queue}`, kind: 'consumer', attributes };
    const step = (): Promise<boolean | WorkOutcome> => work(this.services, appId, subject);
    return this.services.tracing?.inSpan(span, step) ?? step();
  }

  private rest(task: Task): void {
    this.resting.set(nameOf(task), performance.now() + this.options.pollMs);
  }

  private async report({ app_id, subject }: Task, error: unknown): Promise<void> {
    const { queue } = this.options;
    this.services.log.error({ err: error, queue, app_id, subject }, 'work failed');
    if (isPassing(error)) return;
    const readyAt = new Date(this.services.clock().getTime() + POSTPONE_MS);
    try {
      await this.services.database.read(POSTPONE, [app_id, queue, subject, readyAt]);
    } catch (failure) {
      this.services.log.warn({ err: failure, queue, app_id, subject }, 'work could not be postponed');
    }
  }
}

// The queue is mostly empty, so its statistics are those of an empty table. A plan based on them sorts all
// waiting rows at every read.
const FIND = {
  name: 'find_work',
  inOrder: true,
  text: (
    ofSome: string,
  ) => `SELECT app_id, subject FROM work_queue WHERE queue = $1 AND ready_at <= $2 ${ofSome}
           ORDER BY ready_at LIMIT ${WINDOW}`,
};

const FIND_IN_TURN = {
  name: 'find_work_in_turn',
  inOrder: true,
  text: (
    ofSome: string,
  ) => `SELECT app_id, subject FROM work_queue WHERE queue = $1 AND ready_at <= $2 AND app_id > $3 ${ofSome}
           ORDER BY app_id, subject LIMIT ${TURN}`,
};

function nameOf({ app_id, subject }: Task): string {
  return `${app_id}/${subject}`;
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
