/**
 * Bounds concurrent database work, first come first served. Hundreds of subscriptions may need it at once,
 * and requests of partners wait for connections of the same pool.
 */
export class DatabaseLanes {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(lanes: number) {
    this.free = lanes;
  }

  get queued(): number {
    return this.waiting.length;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      // The lane passes directly to the next waiter, so that no newcomer takes it first.
      if (next === undefined) this.free += 1;
      else next();
    }
  }
}
