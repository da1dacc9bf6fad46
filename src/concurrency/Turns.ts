import { ServiceError } from '../errors.js';

/** Maximum wait for a turn, in milliseconds. */
const MAX_WAIT_MS = 5000;

/** Leaves room for other apps beside a busy one. */
const ROOM = 1.5;

interface Waiting {
  weight: number;
  start: () => void;
  timer: NodeJS.Timeout | undefined;
}

export interface TurnOptions {
  /** Maximum concurrent requests of one app (`APP_CONCURRENCY`). */
  perApp: number;
  /** Maximum concurrent requests of all apps, as a multiple of `perApp`. */
  room?: number;
  /** Maximum wait for a turn; Infinity: no maximum. */
  waitMs?: number;
  /** The error when the turn does not come in time. */
  refusal?: () => Error;
}

/**
 * Bounds the concurrent requests of each app in this process. Others wait in order of arrival. Apps take
 * turns, so that none waits for another's queue. In place of an app there may be an idempotency key of it.
 */
export class Turns {
  private readonly perApp: number;
  private readonly total: number;
  private readonly waitMs: number;
  private readonly refusal: () => Error;
  private working = 0;
  private readonly workingOf = new Map<string, number>();
  /** Apps with waiting requests, the next one first. */
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
   * @param weight how many requests it counts for; at most all of the app
   * @throws ServiceError `rate_limited`, or the error of `refusal`, when the turn does not come in time
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

  /** How much work of an app waits for its turn. */
  queued(appId: string): number {
    return this.queues.get(appId)?.size ?? 0;
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
      const refuse = (): void => {
        leave();
        reject(this.refusal());
        while (this.startNext());
      };
      const waiting: Waiting = {
        weight,
        start: () => {
          clearTimeout(waiting.timer);
          leave();
          this.begin(appId, weight);
          resolve();
        },
        timer: this.waitMs === Infinity ? undefined : setTimeout(refuse, this.waitMs),
      };
      queue.add(waiting);
    });
  }

  /** @returns whether one was started */
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
