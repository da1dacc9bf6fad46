import { ServiceError } from '../errors.js';

/** Longest wait for a turn, in milliseconds. */
const MAX_WAIT_MS = 5000;

/** Leaves room for others beside a busy app. */
const ROOM = 1.5;

interface Waiting {
  weight: number;
  start: () => void;
  timer: NodeJS.Timeout;
}

export interface TurnOptions {
  /** Most requests that one app has in work at once (`APP_CONCURRENCY`). */
  perApp: number;
  /** Most requests of all apps in work at once, as a multiple of `perApp`. */
  room?: number;
  waitMs?: number;
  /** The error of work whose turn does not come in time. */
  refusal?: () => Error;
}

/**
 * Bounds how many requests an app has in work at once in this process. More wait in the order in which they
 * came; whose turn is next goes round the apps, so that none waits for the queue of another.
 */
export class Turns {
  private readonly perApp: number;
  private readonly total: number;
  private readonly waitMs: number;
  private readonly refusal: () => Error;
  private working = 0;
  private readonly workingOf = new Map<string, number>();
  /** Apps with waiting requests, the one whose turn is next first. */
  private readonly queues = new Map<string, Set<Waiting>>();

  constructor({ perApp, room = ROOM, waitMs = MAX_WAIT_MS, refusal = tooMany }: TurnOptions) {
    this.perApp = perApp;
    this.total = Math.ceil(perApp * room);
    this.waitMs = waitMs;
    this.refusal = refusal;
  }

  /**
   * Runs work in its app's turn.
   *
   * @param weight of how many requests it counts for; at most all that an app may have
   * @throws ServiceError `rate_limited`, unless `refusal` says otherwise, when the turn does not come in time
   */
  async run<T>(appId: string, work: () => T | Promise<T>, weight = 1): Promise<T> {
    const held = Math.min(weight, this.perApp);
    if (!this.queues.has(appId) && this.hasRoom(appId, held)) this.begin(appId, held);
    else await this.wait(appId, held);
    try {
      return await work();
    } finally {
      this.end(appId, held);
    }
  }

  private hasRoom(appId: string, weight: number): boolean {
    return this.working + weight <= this.total && (this.workingOf.get(appId) ?? 0) + weight <= this.perApp;
  }

  private begin(appId: string, weight: number): void {
    this.working += weight;
    this.workingOf.set(appId, (this.workingOf.get(appId) ?? 0) + weight);
  }

  private end(appId: string, weight: number): void {
    this.working -= weight;
    const left = (this.workingOf.get(appId) ?? weight) - weight;
    if (left === 0) this.workingOf.delete(appId);
    else this.workingOf.set(appId, left);
    while (this.startNext());
  }

  private wait(appId: string, weight: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const queue = this.queues.get(appId) ?? new Set<Waiting>();
      this.queues.set(appId, queue);
      const leave = (): void => {
        queue.delete(waiting);
        if (queue.size === 0) this.queues.delete(appId);
      };
      const waiting: Waiting = {
        weight,
        start: () => {
          clearTimeout(waiting.timer);
          leave();
          this.begin(appId, weight);
          resolve();
        },
        timer: setTimeout(() => {
          leave();
          reject(this.refusal());
          while (this.startNext());
        }, this.waitMs),
      };
      queue.add(waiting);
    });
  }

  /** @returns whether there was one to start */
  private startNext(): boolean {
    for (const [appId, queue] of this.queues) {
      const [next] = queue;
      if (next === undefined || !this.hasRoom(appId, next.weight)) continue;
      // The app goes to the end of the round.
      this.queues.delete(appId);
      this.queues.set(appId, queue);
      next.start();
      return true;
    }
    return false;
  }
}

function tooMany(): Error {
  return new ServiceError('rate_limited', 'Too many requests of the app are in work; send fewer at once.', {
    retryAfterSeconds: 1,
  });
}
