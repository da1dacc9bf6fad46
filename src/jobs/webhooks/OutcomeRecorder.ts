import { lineOf } from '../../concurrency/GroupCommit.js';
import type { GroupCommit, GroupedCall, GroupLimits } from '../../concurrency/GroupCommit.js';
import type { Database } from '../../database/Database.js';
import { succeeded } from './AttemptOutcome.js';
import type { AttemptOutcome } from './AttemptOutcome.js';
import type { ClaimedDelivery } from './claimDeliveries.js';
import { recordSuccesses, recordUnsuccessful } from './recordOutcome.js';
import type { RecordFacts, Success } from './recordOutcome.js';

interface Call extends GroupedCall {
  success: Success;
}

/** One at a time: two for the same endpoints would wait for each other, with fewer successes each. */
const LIMITS: GroupLimits = { calls: 64, atOnce: 1, gather: true };

/** Sends the deliveries that a recording claims; without it none are claimed. */
export interface Successor {
  /** How many of an app it can take now. */
  roomFor: (appId: string) => number;
  take: (claims: readonly ClaimedDelivery[]) => void;
}

/**
 * Records the outcomes of attempts. Successes of one app that arrive while others of it are recorded share a
 * transaction, which also claims what is due next at their endpoints.
 */
export class OutcomeRecorder {
  private readonly lines = new Map<string, GroupCommit<Call, void>>();

  constructor(
    private readonly database: Database,
    private readonly successor?: Successor,
  ) {}

  /** Only the holder of the lease records: an attempt that outlived its lease is ignored. */
  record(claim: ClaimedDelivery, outcome: AttemptOutcome, facts: RecordFacts): Promise<void> {
    if (outcome.kind === 'made' && succeeded(outcome)) {
      const success = { claim, attempt: outcome, now: facts.now };
      return this.lineOf(claim).run({ subject: claim.deliveryId, key: claim.lease, success });
    }
    return recordUnsuccessful(this.database, claim, outcome, facts);
  }

  private lineOf({ appId }: ClaimedDelivery): GroupCommit<Call, void> {
    const together = async (calls: readonly Call[]): Promise<PromiseSettledResult<void>[]> => {
      await this.recordAll(calls);
      return calls.map(() => ({ status: 'fulfilled', value: undefined }));
    };
    return lineOf(this.lines, appId, { together, alone: (call) => this.recordAll([call]) }, LIMITS);
  }

  private async recordAll(calls: readonly Call[]): Promise<void> {
    const successes = calls.map(({ success }) => success) as [Success, ...Success[]];
    const { appId } = successes[0].claim;
    const room = this.successor?.roomFor(appId) ?? 0;
    const claims = await recordSuccesses(this.database, successes, room);
    this.successor?.take(claims);
  }
}
