import { onWork } from '../database/workSignal.js';
import type { Queue } from '../database/workQueue.js';
import type { Services } from '../Services.js';

export interface QueueWorkerOptions {
  queue: Queue;
  /** Subjects worked on at the same time by this process. */
  concurrency: number;
  /** How often to look where no signal comes, in milliseconds. */
  pollMs: number;
  /** Does some of a subject's work in transactions of its own; answers whether there is more right now. */
  work: (services: Services, appId: string, subject: string) => Promise<boolean>;
}

interface Task extends Record<string, unknown> {
  app_id: string;
  subject: string;
}

/** Subjects looked at in one go; more than are worked on, and shuffled, so that workers rarely meet. */
const WINDOW = 200;

/**
 * Works a queue: finds subjects by a plain look at `work_queue` (no locks, so one statement serves every app), and leaves
 * claiming to `work`, which locks the subject's own row. A signal is only a hint; the look finds everything.
 */
export class QueueWorker {
  private readonly services: Services;
  private readonly options: QueueWorkerOptions;
  private readonly busy = new Map<string, Promise<void>>();
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
    const tasks = (await this.find()).filter((task) => !this.busy.has(nameOf(task)));
    const chosen = shuffled(tasks).slice(0, free);
    for (const task of chosen) this.begin(task);
    return chosen.length;
  }

  private async find(): Promise<Task[]> {
    try {
      return await this.services.database.read<Task>(FIND, [this.options.queue, this.services.clock()]);
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

  private async work({ app_id, subject }: Task): Promise<void> {
    try {
      let more = true;
      while (more && !this.stopping) more = await this.options.work(this.services, app_id, subject);
    } catch (error) {
      this.services.log.error({ err: error, queue: this.options.queue, app_id, subject }, 'work failed');
    }
  }
}

const FIND = {
  name: 'find_work',
  text: `SELECT app_id, subject FROM work_queue WHERE queue = $1 AND ready_at <= $2 ORDER BY ready_at LIMIT ${WINDOW}`,
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
