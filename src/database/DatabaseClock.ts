import type { Database } from './Database.js';

const NOW = { name: 'clock_read', text: 'SELECT clock_timestamp() AS now' };
const EVERY_MS = 30_000;
/** At a start, where the first reading may open a connection, long before the database reads its time. */
const FIRST_READINGS = 3;

/**
 * The time of the database, which all processes share: the clock of their machine may be wrong, or be set
 * while they run. Between readings it goes on by the monotonic clock.
 */
export class DatabaseClock {
  private timer: NodeJS.Timeout | undefined;

  private constructor(
    private readonly database: Pick<Database, 'read'>,
    private aheadMs: number,
  ) {}

  /** @throws what the database throws when it cannot be read */
  static async read(database: Pick<Database, 'read'>): Promise<DatabaseClock> {
    let best = await reading(database);
    for (let times = 1; times < FIRST_READINGS; times += 1) {
      const next = await reading(database);
      if (next.roundTripMs < best.roundTripMs) best = next;
    }
    return new DatabaseClock(database, best.aheadMs);
  }

  readonly now = (): Date => new Date(performance.now() + this.aheadMs);

  /** Corrects itself regularly, until `stop`. */
  follow(): this {
    this.timer = setInterval(() => void this.correct().catch(() => undefined), EVERY_MS).unref();
    return this;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Reads the time again. A difference that the way there and back explains changes nothing. */
  async correct(): Promise<void> {
    const { aheadMs, roundTripMs } = await reading(this.database);
    if (Math.abs(aheadMs - this.aheadMs) > roundTripMs) this.aheadMs = aheadMs;
  }
}

/**
 * The database's time less the monotonic one, in milliseconds. It read its time between question and answer,
 * taken as in the middle (F. Cristian, Probabilistic clock synchronization, 1989).
 */
async function reading(database: Pick<Database, 'read'>): Promise<{ aheadMs: number; roundTripMs: number }> {
  const asked = performance.now();
  const [row] = await database.read<{ now: string }>(NOW);
  const answered = performance.now();
  return { aheadMs: Date.parse(row?.now ?? '') - (asked + answered) / 2, roundTripMs: answered - asked };
}
