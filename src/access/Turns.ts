import { ServiceError } from '../errors.js';

/** Longest wait for a turn, in milliseconds. */
const MAX_WAIT_MS = 5000;

/** Requests of all apps in work at once, for each that one app may have: a busy app leaves room for others. */
const ROOM = 1.5;

interface Waiting {
  start: () => void;
  timer: NodeJS.Timeout;
}

export interface TurnOptions {
  /** Most requests that one app has in work at once (`APP_CONCURRENCY`). */
  perApp: number;
  waitMs?: number;
}

/**
 * Bounds how many requests an app has in work at once in this process. More wait in the order in which they came; whose
 * turn is next goes round the apps, so that none waits for the queue of another.
 */
export class Turns {
  private readonly perApp: number;
  private readonly total: number;
  private readonly waitMs: number;
  private working = 0;
  private readonly workingOf = new Map<string, number>();
  /** Apps with waiting requests, the one whose turn is next first. */
  private readonly queues = new Map<string, Set<Waiting>>();

  constructor({ perApp, waitMs = MAX_WAIT_MS }: TurnOptions) {
    this.perApp = perApp;
    this.total = Math.ceil(perApp * ROOM);
    this.waitMs = waitMs;
  }

  /** Runs work in its app's turn. @throws ServiceError `rate_limited` when the turn does not come in time */
  async run<T>(appId: string, work: () => T | Promise<T>): Promise<T> {
    if (this.hasRoom(appId)) this.begin(appId);
    else await this.wait(appId);
    try {
      return await work();
    } finally {
      this.end(appId);
    }
  }

  private hasRoom(appId: string): boolean {
    return this.working < this.total && (this.workingOf.get(appId) ?? 0) < this.perApp;
  }

  private begin(appId: string): void {
    this.working += 1;
    this.workingOf.set(appId, (this.workingOf.get(appId) ?? 0) + 1);
  }

  private end(appId: string): void {
    this.working -= 1;
    const left = (this.workingOf.get(appId) ?? 1) - 1;
    if (left === 0) this.workingOf.delete(appId);
    else this.workingOf.set(appId, left);
    this.startNext();
  }

  private wait(appId: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const queue = this.queues.get(appId) ?? new Set<Waiting>();
      this.queues.set(appId, queue);
      const leave = (): void => {
        queue.delete(waiting);
        if (queue.size === 0) this.queues.delete(appId);
      };
      const waiting: Waiting = {
        start: () => {
          clearTimeout(waiting.timer);
          leave();
          this.begin(appId);
          resolve();
        },
        timer: setTimeout(() => {
          leave();
          reject(
            new ServiceError('rate_limited', 'Too many requests of the app are in work; send fewer at once.', {
              retryAfterSeconds: 1,
            }),
          );
        }, this.waitMs),
      };
      queue.add(waiting);
    });
  }

  private startNext(): void {
    for (const [appId, queue] of this.queues) {
      if (!this.hasRoom(appId)) continue;
      const [next] = queue;
      // The app goes to the end of the round.
      this.queues.delete(appId);
      this.queues.set(appId, queue);
      next?.start();
      return;
    }
  }
}
