import { LRUCache } from 'lru-cache';
import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';
import type { Config } from '../config.js';
import { ServiceError } from '../errors.js';

/** Kilobytes of an app that all processes count together (`SharedCounter`). */
interface Kilobytes {
  points: number;
  leftMs: number;
}

interface SharedKilobytes {
  add(appId: string, kilobytes: number): Promise<Kilobytes>;
  read(appId: string): Promise<Kilobytes | undefined>;
}

type MakeCounter = (rule: { name: string; windowSeconds: number }) => SharedKilobytes;

const DAY_SECONDS = 24 * 60 * 60;
const BYTES_PER_KILOBYTE = 1024;
const KILOBYTES_PER_MEGABYTE = 1024;

/** How long a read count of an app stays valid, in milliseconds. */
const FRESH_MS = 5000;

/** Delay before this process adds its bytes to the shared count, in milliseconds. */
const TELL_MS = 500;

/** Maximum cached apps; the count of others is read again. */
const MAX_APPS = 10_000;

interface Taken {
  kilobytes: number;
  /** When the day ends, on the monotonic clock. */
  endsAt: number;
}

/**
 * Bounds the daily bytes of an app's answers stored for replay, over all processes. The count is in the
 * database, but no write waits for it: each process adds its bytes twice a second, so the bound can be
 * exceeded by at most that much.
 */
export class ReplayStorage {
  private readonly shared: SharedKilobytes;
  private readonly kilobytes: number;
  private readonly taken = new LRUCache<string, Taken>({ max: MAX_APPS, ttlResolution: 0 });
  /** Bytes stored here and not yet added to the shared count. */
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
    this.shared = makeCounter({ name: 'replay_storage', windowSeconds: DAY_SECONDS });
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

  /** @throws ServiceError `rate_limited` when the app's storage of the day is full */
  async admit(appId: string): Promise<void> {
    const taken = await this.takenBy(appId);
    const untold = (this.untold.get(appId) ?? 0) / BYTES_PER_KILOBYTE;
    if (taken.kilobytes + untold <= this.kilobytes) return;
    this.refused.inc();
    throw new ServiceError('rate_limited', "The app's answers of the day fill the storage for replays.", {
      retryAfterSeconds: Math.max(1, Math.ceil((taken.endsAt - performance.now()) / 1000)),
    });
  }

  keep(appId: string, bytes: number): void {
    this.stored.inc(bytes);
    this.untold.set(appId, (this.untold.get(appId) ?? 0) + bytes);
    this.timer ??= setTimeout(() => void this.tell(), TELL_MS).unref();
  }

  /** Adds this process's bytes to the shared count. After a failure they are added later. */
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
      const count = await this.shared.add(appId, kilobytes).catch(() => undefined);
      if (count === undefined) continue;
      // They counted as untold until now, so they are never left out.
      this.remember(appId, count);
      const left = (this.untold.get(appId) ?? 0) - kilobytes * BYTES_PER_KILOBYTE;
      if (left === 0) this.untold.delete(appId);
      else this.untold.set(appId, left);
    }
  }

  private async takenBy(appId: string): Promise<Taken> {
    return this.taken.get(appId) ?? this.remember(appId, await this.shared.read(appId));
  }

  private remember(appId: string, count: Kilobytes | undefined): Taken {
    const { points: kilobytes, leftMs } = count ?? { points: 0, leftMs: DAY_SECONDS * 1000 };
    const taken = { kilobytes, endsAt: performance.now() + leftMs };
    this.taken.set(appId, taken, { ttl: Math.max(1, Math.min(FRESH_MS, leftMs)) });
    return taken;
  }
}
