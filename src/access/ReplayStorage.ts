import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Config } from '../config.js';
import { ServiceError } from '../errors.js';

const DAY_SECONDS = 24 * 60 * 60;
const KILOBYTES_PER_MEGABYTE = 1024;

/**
 * Bounds what answers kept for replay take of one app in a day. Each gateway counts for itself and allows its share, as the rate
 * limits do: a count in the database would make all writes of an app wait for each other.
 */
export class ReplayStorage {
  private readonly kilobytes: RateLimiterMemory;
  private readonly stored: Counter;
  private readonly refused: Counter;

  constructor({ replayStorageMb, workers }: Pick<Config, 'replayStorageMb' | 'workers'>, registry: Registry) {
    const points = Math.ceil((replayStorageMb * KILOBYTES_PER_MEGABYTE) / workers);
    this.kilobytes = new RateLimiterMemory({ points, duration: DAY_SECONDS });
    this.stored = new Counter({
      name: 'idempotency_stored_bytes_total',
      help: 'Size of the answers that were kept for replay',
      registers: [registry],
    });
    this.refused = new Counter({
      name: 'idempotency_storage_refused_total',
      help: 'Writes that were refused because the answers of their app fill its storage of the day',
      registers: [registry],
    });
  }

  /** @throws ServiceError `rate_limited` when the app's answers of the day fill its storage */
  async admit(appId: string): Promise<void> {
    const taken = await this.kilobytes.get(appId);
    if (taken === null || taken.consumedPoints <= this.kilobytes.points) return;
    this.refused.inc();
    throw new ServiceError('rate_limited', "The app's answers of the day fill the storage for replays.", {
      retryAfterSeconds: Math.max(1, Math.ceil(taken.msBeforeNext / 1000)),
    });
  }

  /** Counts an answer that was stored. */
  keep(appId: string, bytes: number): void {
    this.stored.inc(bytes);
    void this.kilobytes.penalty(appId, Math.ceil(bytes / 1024));
  }
}
