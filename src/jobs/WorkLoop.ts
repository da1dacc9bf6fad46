import { onWork } from '../database/workSignal.js';
import type { Queue } from '../database/workQueue.js';

export interface WorkLoopOptions {
  /** Whose signals are heard. */
  queue: Queue;
  /** How often to look where no signal comes, in milliseconds. */
  pollMs: number;
  /** Looks for work. Whether to look again at once. */
  round: () => Promise<boolean>;
  onError: (error: unknown) => void;
}

/** The wait after a round that failed, for instance without a database. */
const ERROR_PAUSE_MS = 1000;

/** Looks for work: again at once while there is more, else when it is woken or after an interval. */
export class WorkLoop {
  private stopping = false;
  /** Woken since the round began. */
  private woken = false;
  private endPause: () => void = () => undefined;
  private running: Promise<void> = Promise.resolve();
  private unsubscribe: () => void = () => undefined;

  constructor(private readonly options: WorkLoopOptions) {}

  start(): void {
    this.unsubscribe = onWork(this.options.queue, () => this.wake());
    this.running = this.run();
  }

  wake(): void {
    this.woken = true;
    this.endPause();
  }

  /** Resolves once no round runs. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.unsubscribe();
    this.wake();
    await this.running;
  }

  private async run(): Promise<void> {
    const { round, pollMs, onError } = this.options;
    while (!this.stopping) {
      this.woken = false;
      try {
        if (!(await round())) await this.pause(pollMs);
      } catch (error) {
        onError(error);
        await this.pause(ERROR_PAUSE_MS);
      }
    }
  }

  private async pause(ms: number): Promise<void> {
    if (this.woken) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
