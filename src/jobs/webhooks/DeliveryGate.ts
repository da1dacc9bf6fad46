import { lineOf } from '../../commands/GroupCommit.js';
import type { GroupCommit, GroupedCall, GroupLimits } from '../../commands/GroupCommit.js';
import type { ClaimedDelivery } from './claimDeliveries.js';
import type { DatabaseLanes } from './DatabaseLanes.js';
import type { Send } from './postWebhook.js';
import { sendThroughGate, sendTogether } from './sendThroughGate.js';
import type { Gate, GateDecision, Passage } from './sendThroughGate.js';

interface Call extends GroupedCall, Passage {
  resolve: (decision: GateDecision) => void;
  reject: (error: unknown) => void;
  /** Whether its request was begun. */
  begun: boolean;
}

const LIMITS: GroupLimits = { calls: 32, atOnce: 2, gather: true };

/**
 * The gate of all deliveries of a process. Those of one app that come while others of it pass share a
 * transaction. One whose customer's consent is locked by somebody else passes alone, and waits for it.
 */
export class DeliveryGate {
  private readonly lines = new Map<string, GroupCommit<Call>>();

  constructor(
    private readonly gate: Gate,
    private readonly lanes: DatabaseLanes,
  ) {}

  pass(claim: ClaimedDelivery, send: Send): Promise<GateDecision> {
    const { appId, deliveryId, lease } = claim;
    return new Promise((resolve, reject) => {
      const call: Call = {
        subject: deliveryId,
        key: lease,
        claim,
        begun: false,
        send: (request) => {
          call.begun = true;
          return send(request);
        },
        resolve,
        reject,
      };
      lineOf(this.lines, appId, (calls) => this.passAll(calls), LIMITS).add(call);
    });
  }

  /** What fails before a request was begun is tried alone: nobody fails for another's delivery. */
  private async passAll(calls: readonly Call[]): Promise<void> {
    try {
      const settled = await this.lanes.run(() => sendTogether(this.gate, calls));
      for (const [place, call] of calls.entries()) {
        const result = settled[place];
        if (result === undefined) this.passAlone(call);
        else if (result.status === 'fulfilled') call.resolve(result.value);
        else call.reject(result.reason);
      }
    } catch (error) {
      for (const call of calls) {
        if (call.begun) call.reject(error);
        else this.passAlone(call);
      }
    }
  }

  private passAlone({ claim, send, resolve, reject }: Call): void {
    this.lanes.run(() => sendThroughGate(this.gate, claim, send)).then(resolve, reject);
  }
}
