import { lookForWork } from '../database/lookForWork.js';
import { onWork } from '../database/workSignal.js';
import type { Queue } from '../database/workQueue.js';
import type { Services } from '../Services.js';
import { activeTracing } from '../telemetry/tracing.js';
import { isPassing } from './isPassing.js';

/**
 * `more`: something is left to do right now. `done`: nothing is, for now. `locked`: somebody else has the
 * subject in hand. True and false stand for the first two.
 */
export type WorkOutcome = 'more' | 'done' | 'locked';

export interface QueueWorkerOptions {
  queue: Queue;
  /** Subjects worked on at the same time by this process. */
  concurrency: number;
  /** How often to look where no signal comes, in milliseconds. */
  pollMs: number;
  /** Does some of a subject's work in transactions of its own. */
  work: (services: Services, appId: string, subject: string) => Promise<boolean | WorkOutcome>;
}

interface Task extends Record<string, unknown> {
  app_id: string;
  subject: string;
}

/** Subjects looked at in one go; more than are worked on, and shuffled, so that workers rarely meet. */
const WINDOW = 200;

/**
 * How long work that threw for reasons of its own is put off, in milliseconds, so that it cannot fill the
 * window.
 */
const PUT_OFF_MS = 5000;

/**
 * Works a queue: finds subjects by a plain look at `work_queue` (no locks, so one statement serves every
 * app), and leaves claiming to `work`, which locks the subject's own row. A signal is only a hint; the look
 * finds everything.
 */
export class QueueWorker {
  private readonly services: Services;
  private readonly options: QueueWorkerOptions;
  private readonly busy = new Map<string, Promise<void>>();
  /**
   * Subjects that others hold, or that just failed, until when they are left alone: looking at them again at
   * once would spin.
   */
  private readonly resting = new Map<string, number>();
  private stopping = false;
  private looking: Promise<void> = Promise.resolve();
  private wake: (() => void) | undefined;
  private signalled = false;
  private unsubscribe: (() => void) | undefined;

  constructor(services: Services, options: QueueWorkerOptions) {
    this.services = services;
    this.options = options;
  }

  start(): void {
    this.unsubscribe = onWork(this.options.queue, () => this.signal());
    this.looking = this.run();
  }

  /** Stops looking and waits for what is in hand. What is not finished stays in the queue. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.unsubscribe?.();
    this.signal();
    await this.looking;
    await Promise.allSettled(this.busy.values());
  }

  private signal(): void {
    this.signalled = true;
    this.wake?.();
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      this.signalled = false;
      const found = await this.look();
      if (this.busy.size >= this.options.concurrency) await Promise.race(this.busy.values());
      else if (found === 0) await this.pause();
      else if (!this.signalled) await Promise.race([...this.busy.values(), this.pause()]);
    }
  }

  private pause(): Promise<void> {
    if (this.signalled || this.stopping) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.options.pollMs);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Starts on as many found subjects as there is room for; how many it started. */
  private async look(): Promise<number> {
    const free = this.options.concurrency - this.busy.size;
    if (free <= 0) return 0;
    const found = await this.find();
    this.forgetRested();
    const tasks = found.filter((task) => !this.busy.has(nameOf(task)) && !this.resting.has(nameOf(task)));
    const chosen = shuffled(tasks).slice(0, free);
    for (const task of chosen) this.begin(task);
    return chosen.length;
  }

  private forgetRested(): void {
    const now = performance.now();
    for (const [name, until] of this.resting) if (until <= now) this.resting.delete(name);
  }

  private async find(): Promise<Task[]> {
    try {
      return await lookForWork<Task>(this.services.database, FIND, [
        this.options.queue,
        this.services.clock(),
      ]);
    } catch (error) {
      this.services.log.warn({ err: error, queue: this.options.queue }, 'cannot look for work');
      return [];
    }
  }

  private begin(task: Task): void {
    const name = nameOf(task);
    const done = this.work(task).finally(() => this.busy.delete(name));
    this.busy.set(name, done);
  }

  private async work(task: Task): Promise<void> {
    try {
      let outcome: boolean | WorkOutcome = 'more';
      while ((outcome === 'more' || outcome === true) && !this.stopping) outcome = await this.step(task);
      if (outcome === 'locked') this.rest(task);
    } catch (error) {
      this.rest(task);
      await this.report(task, error);
    }
  }

  private async step({ app_id: appId, subject }: Task): Promise<boolean | WorkOutcome> {
    const { queue, work } = this.options;
    const tracing = activeTracing();
    if (tracing === undefined) return work(this.services, appId, subject);
    const attributes = { 'consent.queue': queue, 'consent.app_id': appId, 'consent.subject': subject };
    return tracing.inSpan({ name: `work ${queue}`, kind: 'consumer', attributes }, async () =>
      work(this.services, appId, subject),
    );
  }

  private rest(task: Task): void {
    this.resting.set(nameOf(task), performance.now() + this.options.pollMs);
  }

  private async report({ app_id, subject }: Task, error: unknown): Promise<void> {
    const { queue } = this.options;
    this.services.log.error({ err: error, queue, app_id, subject }, 'work failed');
    if (isPassing(error)) return;
    const readyAt = new Date(this.services.clock().getTime() + PUT_OFF_MS);
    try {
      await this.services.database.read(PUT_OFF, [app_id, queue, subject, readyAt]);
    } catch (failure) {
      this.services.log.warn({ err: failure, queue, app_id, subject }, 'work could not be put off');
    }
  }
}

const FIND = {
  name: 'find_work',
  text: (
    ofSome: string,
  ) => `SELECT app_id, subject FROM work_queue WHERE queue = $1 AND ready_at <= $2 ${ofSome}
           ORDER BY ready_at LIMIT ${WINDOW}`,
};

const PUT_OFF = {
  name: 'put_off_work',
  text: 'UPDATE work_queue SET ready_at = $4, attempts = attempts + 1 WHERE app_id = $1 AND queue = $2 AND subject = $3',
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
