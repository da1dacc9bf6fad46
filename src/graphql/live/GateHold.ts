import type { Database } from '../../database/Database.js';
import { ServiceError } from '../../errors.js';
import { CUSTOMER_OF } from '../../live/topic.js';
import type { Topic } from '../../live/topic.js';
import type { GateFlush } from './LiveSubscription.js';

/** Longest wait for the head, which a change of the customer locks. */
const LOCK_WAIT = '2s';

/** How long a reader may take for one message, in milliseconds; while it does, a withdrawal waits. */
const MAX_FLUSH_MS = 500;
/** The same where no one's consent waits for it. */
const MAX_SLOW_FLUSH_MS = 10_000;

/**
 * Holds a customer's head, shared, from before a gated event is read until its bytes are with the system. A
 * withdrawal commits wholly before the read, which then finds the gate closed, or wholly after the event was
 * sent: when the withdrawal is answered, no event of the closed epoch is left to be sent. Webhooks are sent
 * the same way (`sendThroughGate`).
 */
export class GateHold {
  private free: number;
  private readonly queue: (() => void)[] = [];

  /**
   * @param lanes events held at the same time, each on a connection of `database`; their reads need others
   */
  constructor(
    private readonly database: Database,
    lanes: number,
  ) {
    this.free = lanes;
  }

  async around<T>(
    { kind, appId, id }: Topic,
    changed: string | undefined,
    work: (flush: GateFlush) => Promise<T>,
  ): Promise<T> {
    const customer = CUSTOMER_OF[kind];
    if (customer === undefined) return work(within(MAX_SLOW_FLUSH_MS));
    await this.enter();
    try {
      return await this.database.transaction(appId, async (tx) => {
        await tx.query(`SET LOCAL lock_timeout = '${LOCK_WAIT}'`);
        await tx.query(
          `SELECT 1 FROM customer_heads WHERE app_id = $1 AND customer_id = ${customer} FOR SHARE`,
          [appId, changed ?? id],
        );
        return work(within(MAX_FLUSH_MS));
      });
    } finally {
      this.leave();
    }
  }

  private async enter(): Promise<void> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((wake) => this.queue.push(wake));
  }

  /** The lane passes to the longest waiter. */
  private leave(): void {
    const next = this.queue.shift();
    if (next === undefined) this.free += 1;
    else next();
  }
}

/** A reader that does not take a message in time is cut off: what it has not got is never sent. */
function within(limitMs: number): GateFlush {
  return async (pushed, cut) => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        cut();
        reject(new ServiceError('unavailable', 'The subscriber does not keep up.'));
      }, limitMs);
    });
    try {
      await Promise.race([pushed, late]);
    } finally {
      clearTimeout(timer);
    }
  };
}
