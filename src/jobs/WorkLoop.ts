import { onWork } from '../database/workSignal.js';
import type { Queue } from '../database/workQueue.js';

export interface WorkLoopOptions {
  /** Its signals wake the loop. */
  queue: Queue;
  /** Interval between rounds without a signal, in milliseconds. */
  pollMs: number;
  /** Looks for work. Returns whether to look again at once. */
  round: () => Promise<boolean>;
  onError: (error: unknown) => void;
}

/** The wait after a failed round, for instance without a database, in milliseconds. */
const ERROR_PAUSE_MS = 1000;

/** Looks for work: again at once while there is more, else when it is woken or after an interval. */
export class WorkLoop {
  private stopping = false;
  /** Whether a wake-up came since the round began. */
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

  /** Resolves when no round runs. */
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
