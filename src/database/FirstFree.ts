import type pg from 'pg';

interface Waiting {
  resolve: (client: pg.PoolClient) => void;
  reject: (error: Error) => void;
}

/**
 * Gives a pool's connections to its callers in the order in which they asked. By itself the pool lets a
 * caller wait for the connection that it opens for them, even when another one is returned first.
 */
export class FirstFree {
  private readonly waiting: Waiting[] = [];
  /** Connections asked of the pool; never fewer than wait. */
  private asked = 0;

  constructor(readonly pool: pg.Pool) {
    // The connection is idle after the event.
    pool.on('release', () => process.nextTick(() => this.askForIdle()));
  }

  connect(): Promise<pg.PoolClient> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      this.ask();
    });
  }

  private askForIdle(): void {
    if (this.waiting.length > 0 && this.pool.idleCount > this.pool.waitingCount) this.ask();
  }

  private ask(): void {
    this.asked += 1;
    this.pool.connect().then(
      (client) => {
        this.asked -= 1;
        const first = this.waiting.shift();
        if (first === undefined) client.release();
        else first.resolve(client);
      },
      (error: Error) => {
        this.asked -= 1;
        if (this.waiting.length > this.asked) this.waiting.shift()?.reject(error);
      },
    );
  }
}
