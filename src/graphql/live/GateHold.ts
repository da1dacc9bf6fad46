import { shareHead } from '../../access/consentGate.js';
import { Turns } from '../../concurrency/Turns.js';
import { unlessLate } from '../../concurrency/unlessLate.js';
import type { Database } from '../../database/Database.js';
import type { Transaction } from '../../database/Transaction.js';
import { ServiceError } from '../../errors.js';
import { CUSTOMER_OF } from '../../live/topic.js';
import type { Topic } from '../../live/topic.js';

/** Pushes a message and waits until it was passed on, or disconnects the subscriber. */
export type GateFlush = (push: () => Promise<void>, cut: () => void) => Promise<void>;

/** Maximum wait for the lock of the head, which a change of the customer holds. */
const LOCK_WAIT = '2s';

/** Maximum time of a subscriber to read one message, in milliseconds; a withdrawal waits meanwhile. */
const MAX_FLUSH_MS = 500;
/** The same when no withdrawal can wait for it. */
const MAX_SLOW_FLUSH_MS = 10_000;

/** For messages that no withdrawal can wait for. */
export const WITHOUT_HOLD = within(MAX_SLOW_FLUSH_MS);

/**
 * Locks a customer's head (shared) from before a gated event is read until its bytes were passed to the
 * operating system. A withdrawal commits either before the read, which then finds the gate closed, or after
 * the event was sent. So when a withdrawal is answered, no event of the closed epoch can still be sent.
 * Webhooks use the same method (`sendThroughGate`).
 */
export class GateHold {
  /** Not those of the database: reads below a hold may open transactions, which would wait for it. */
  private readonly turns: Turns;

  /**
   * @param lanes maximum concurrent locks, each on a connection of `database`, at least two; one app leaves
   *   one to others; the reads need further connections
   */
  constructor(
    private readonly database: Database,
    lanes: number,
  ) {
    this.turns = new Turns({ perApp: lanes - 1, room: lanes / (lanes - 1), waitMs: Infinity });
  }

  async around<T>(
    { kind, appId, id }: Topic,
    changed: string | undefined,
    work: (flush: GateFlush) => Promise<T>,
  ): Promise<T> {
    const customer = CUSTOMER_OF[kind];
    if (customer === undefined) return work(WITHOUT_HOLD);
    const send = async (tx: Transaction): Promise<T> => {
      await tx.query(shareHead(customer), [appId, changed ?? id]);
      return work(within(MAX_FLUSH_MS, tx));
    };
    return this.turns.run(appId, () =>
      this.database.transaction(appId, send, { lockTimeout: LOCK_WAIT, locksOnly: true }),
    );
  }
}

/**
 * Disconnects a subscriber that does not read a message in time: the rest is never sent.
 *
 * @param hold the transaction with the lock, without which nothing is pushed
 */
function within(limitMs: number, hold?: Transaction): GateFlush {
  return async (push, cut) => {
    if (hold?.locksAreSure === false)
      throw new ServiceError('unavailable', 'The lock of the event is no longer certain.');
    await unlessLate(push(), limitMs, () => {
      cut();
      return new ServiceError('unavailable', 'The subscriber does not keep up.');
    });
  };
}
