import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';
import type { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Config } from '../config.js';
import { ServiceError } from '../errors.js';

/** Makes a counter that all nodes share. */
type MakeCounter = (rule: { name: string; points: number; windowSeconds: number }) => RateLimiterPostgres;

const DAY_SECONDS = 24 * 60 * 60;
const BYTES_PER_KILOBYTE = 1024;
const KILOBYTES_PER_MEGABYTE = 1024;

/** How long what an app was seen to have taken is believed, in milliseconds. */
const FRESH_MS = 5000;

/** How long what this process stored waits to be told to the others, in milliseconds. */
const TELL_MS = 500;

/** Most apps that are remembered; who is forgotten is read again. */
const MAX_APPS = 10_000;

interface Taken {
  kilobytes: number;
  /** On the monotonic clock: when it was read, and when the day ends. */
  readAt: number;
  endsAt: number;
}

/**
 * Bounds what answers kept for replay take of one app in a day, over all processes. The count is in the
 * database, but no write waits for it: what a process stored is added up and told twice a second, so that the
 * bound is exceeded by that much at most.
 */
export class ReplayStorage {
  private readonly shared: RateLimiterPostgres;
  private readonly kilobytes: number;
  private readonly taken = new Map<string, Taken>();
  /** Bytes that were stored here and not told yet. */
  private readonly untold = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private telling: Promise<void> = Promise.resolve();
  private readonly stored: Counter;
  private readonly refused: Counter;

  constructor(
    { replayStorageMb }: Pick<Config, 'replayStorageMb'>,
    registry: Registry,
    makeCounter: MakeCounter,
  ) {
    this.kilobytes = replayStorageMb * KILOBYTES_PER_MEGABYTE;
    this.shared = makeCounter({
      name: 'replay_storage',
      points: this.kilobytes,
      windowSeconds: DAY_SECONDS,
    });
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
    const taken = await this.takenBy(appId);
    const untold = (this.untold.get(appId) ?? 0) / BYTES_PER_KILOBYTE;
    if (taken.kilobytes + untold <= this.kilobytes) return;
    this.refused.inc();
    throw new ServiceError('rate_limited', "The app's answers of the day fill the storage for replays.", {
      retryAfterSeconds: Math.max(1, Math.ceil((taken.endsAt - performance.now()) / 1000)),
    });
  }

  /** Counts an answer that was stored. */
  keep(appId: string, bytes: number): void {
    this.stored.inc(bytes);
    this.untold.set(appId, (this.untold.get(appId) ?? 0) + bytes);
    this.timer ??= setTimeout(() => void this.tell(), TELL_MS).unref();
  }

  /** Tells the others what this process stored. What cannot be told now is told later. */
  tell(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.telling = this.telling.then(() => this.tellAll());
    return this.telling;
  }

  private async tellAll(): Promise<void> {
    for (const [appId, bytes] of [...this.untold]) {
      const kilobytes = Math.floor(bytes / BYTES_PER_KILOBYTE);
      if (kilobytes === 0) continue;
      const state = await this.shared.penalty(appId, kilobytes).catch(() => undefined);
      if (state === undefined) continue;
      // Until now it counted as untold: at no moment is it left out.
      this.remember(appId, state);
      const left = (this.untold.get(appId) ?? 0) - kilobytes * BYTES_PER_KILOBYTE;
      if (left === 0) this.untold.delete(appId);
      else this.untold.set(appId, left);
    }
  }

  private async takenBy(appId: string): Promise<Taken> {
    const known = this.taken.get(appId);
    const now = performance.now();
    if (known !== undefined && now - known.readAt < FRESH_MS && now < known.endsAt) return known;
    return this.remember(appId, await this.shared.get(appId));
  }

  private remember(appId: string, state: { consumedPoints: number; msBeforeNext: number } | null): Taken {
    const now = performance.now();
    const endsAt = now + (state?.msBeforeNext ?? DAY_SECONDS * 1000);
    const taken = { kilobytes: state?.consumedPoints ?? 0, readAt: now, endsAt };
    this.taken.delete(appId);
    this.taken.set(appId, taken);
    const [oldest] = this.taken.keys();
    if (this.taken.size > MAX_APPS && oldest !== undefined) this.taken.delete(oldest);
    return taken;
  }
}
