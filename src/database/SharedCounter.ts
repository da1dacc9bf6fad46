import type { Database } from './Database.js';

export interface CounterRule {
  name: string;
  windowSeconds: number;
}

export interface Count {
  points: number;
  /** The rest of its window, in milliseconds. */
  leftMs: number;
}

/**
 * Counts in PostgreSQL, so that a limit holds over all nodes. Windows begin and end by the clock of the
 * database, whatever those of the nodes show. One that lies more than its length ahead began before that
 * clock was set back, and has ended.
 *
 * Its statements use the service's own connections: bounded, and urgent if the caller is.
 */
export class SharedCounter {
  private readonly windowMs: number;

  constructor(
    private readonly database: Pick<Database, 'read'>,
    private readonly rule: CounterRule,
  ) {
    this.windowMs = rule.windowSeconds * 1000;
  }

  /** Adds points, or takes some back (negative). @returns the count with them */
  async add(subject: string, points: number): Promise<Count> {
    const [count] = await this.database.read<Count>(ADD, [this.keyOf(subject), points, this.windowMs]);
    if (count === undefined) throw new Error('PostgreSQL did not tell a count.');
    return count;
  }

  /** Undefined when nothing was counted in the window. */
  async read(subject: string): Promise<Count | undefined> {
    const [count] = await this.database.read<Count>(READ, [this.keyOf(subject), this.windowMs]);
    return count;
  }

  async forget(subject: string): Promise<void> {
    await this.database.read(FORGET, [this.keyOf(subject)]);
  }

  private keyOf(subject: string): string {
    return `${this.rule.name}:${subject}`;
  }
}

const NOW = '(extract(epoch FROM now()) * 1000)::bigint';

// Whoever waits for the row may have begun before the window that it finds. Citus takes `now()` neither in
// SET nor in RETURNING.
const HAS_ENDED = `(t.expire <= excluded.expire - $3::bigint OR t.expire > excluded.expire + $3::bigint)`;

const ADD = {
  name: 'counter_add',
  text: `
  WITH counted AS (
    INSERT INTO throttles AS t (key, points, expire) VALUES ($1, $2, ${NOW} + $3::bigint)
    ON CONFLICT (key) DO UPDATE SET
      points = CASE WHEN ${HAS_ENDED} THEN excluded.points ELSE t.points + excluded.points END,
      expire = CASE WHEN ${HAS_ENDED} THEN excluded.expire ELSE t.expire END
    RETURNING points, expire
  )
  SELECT points, greatest(0, expire - ${NOW}) AS "leftMs" FROM counted`,
};

const READ = {
  name: 'counter_read',
  text: `SELECT points, expire - ${NOW} AS "leftMs" FROM throttles
          WHERE key = $1 AND expire > ${NOW} AND expire <= ${NOW} + 2 * $2::bigint`,
};

const FORGET = { name: 'counter_forget', text: 'DELETE FROM throttles WHERE key = $1' };
