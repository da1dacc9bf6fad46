import type { Services } from '../Services.js';

export interface Sweep {
  name: string;
  everyMs: number;
  /** Long work ends soon after `stopping`. @returns whether to run again at once */
  work: (services: Services, stopping: AbortSignal) => Promise<boolean>;
}

/** Cleans up in bounded batches at intervals. Nodes that do it at the same time share the work. */
export class PeriodicSweep {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private readonly stopping = new AbortController();

  constructor(
    private readonly services: Services,
    private readonly sweep: Sweep,
  ) {}

  /** The first round starts soon, at a slightly different time on each node. */
  start(): void {
    this.schedule(this.sweep.everyMs * 0.1);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.running;
  }

  private schedule(delayMs: number): void {
    if (this.stopping.signal.aborted) return;
    this.timer = setTimeout(() => (this.running = this.round()), delayMs * (0.8 + 0.4 * Math.random()));
    this.timer.unref();
  }

  private async round(): Promise<void> {
    let more = false;
    try {
      more = await this.sweep.work(this.services, this.stopping.signal);
    } catch (error) {
      this.services.log.warn(
        { err: error, sweep: this.sweep.name },
        'A sweep failed and will be tried again',
      );
    }
    this.schedule(more ? 50 : this.sweep.everyMs);
  }
}
