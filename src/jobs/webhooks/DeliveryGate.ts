import { lineOf } from '../../concurrency/GroupCommit.js';
import type { GroupCommit, GroupedCall, GroupedWork, GroupLimits } from '../../concurrency/GroupCommit.js';
import type { ClaimedDelivery } from './claimDeliveries.js';
import { Turns } from '../../concurrency/Turns.js';
import type { Send } from './postWebhook.js';
import { sendThroughGate, sendTogether } from './sendThroughGate.js';
import type { Gate, GateDecision, Passage } from './sendThroughGate.js';

interface Call extends GroupedCall, Passage {
  /** Whether its request was begun. */
  begun: boolean;
}

const LIMITS: GroupLimits = { calls: 32, atOnce: 2, gather: true };

/** Deliveries of an app that wait. More would wait longer, each over a connection of its own. */
const MAX_WAITING = 64;

/** Apps of which a delivery waits for a lock, each on a connection. */
const MAX_ALONE = 4;

/** Maximum wait of a delivery until it may wait for a lock, in milliseconds. */
const MAX_LINE_MS = 1000;

class LineTooLong extends Error {}

/**
 * The gate of all deliveries of a process. Deliveries of one app that arrive while others of it pass share a
 * transaction. A delivery whose customer's consent is locked passes alone and waits for the lock, one of an
 * app at a time. It takes none of the database's turns meanwhile: other deliveries of the app need them.
 */
export class DeliveryGate {
  private readonly lines = new Map<string, GroupCommit<Call, GateDecision>>();
  private readonly work: GroupedWork<Call, GateDecision>;
  /** By app, deliveries with an open connection that were not sent yet. */
  private readonly waiting = new Map<string, number>();
  private readonly alone = new Turns({
    perApp: 1,
    room: MAX_ALONE,
    waitMs: MAX_LINE_MS,
    refusal: () => new LineTooLong(),
  });

  constructor(gate: Gate) {
    const unbounded = { ...gate, database: gate.database.withTurns(undefined) };
    this.work = {
      together: (calls) => sendTogether(gate, calls),
      alone: (call) => this.passAlone(unbounded, call),
      mayRunAlone: ({ begun }) => !begun,
    };
  }

  async pass(claim: ClaimedDelivery, send: Send): Promise<GateDecision> {
    this.count(claim, 1);
    const call: Call = {
      subject: claim.deliveryId,
      key: claim.lease,
      claim,
      begun: false,
      send: (request) => {
        call.begun = true;
        return send(request);
      },
    };
    const line = lineOf(this.lines, claim.appId, this.work, LIMITS);
    return line.run(call).finally(() => this.count(claim, -1));
  }

  /** How many deliveries of an app are worth claiming. */
  roomFor(appId: string): number {
    return Math.max(0, MAX_WAITING - (this.waiting.get(appId) ?? 0));
  }

  private async passAlone(gate: Gate, { claim, send }: Call): Promise<GateDecision> {
    try {
      return await this.alone.run(claim.appId, () => sendThroughGate(gate, claim, send));
    } catch (error) {
      if (error instanceof LineTooLong) return { kind: 'released', locked: true };
      throw error;
    }
  }

  private count({ appId }: ClaimedDelivery, change: number): void {
    const waiting = (this.waiting.get(appId) ?? 0) + change;
    if (waiting === 0) this.waiting.delete(appId);
    else this.waiting.set(appId, waiting);
  }
}
