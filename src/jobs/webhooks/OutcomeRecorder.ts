import { lineOf } from '../../commands/GroupCommit.js';
import type { GroupCommit, GroupedCall, GroupLimits } from '../../commands/GroupCommit.js';
import type { Database } from '../../database/Database.js';
import type { DatabaseLanes } from './DatabaseLanes.js';
import { succeeded } from './AttemptOutcome.js';
import type { AttemptOutcome } from './AttemptOutcome.js';
import type { ClaimedDelivery } from './claimDeliveries.js';
import { recordSuccesses, recordUnsuccessful } from './recordOutcome.js';
import type { RecordFacts, Success } from './recordOutcome.js';

interface Call extends GroupedCall {
  success: Success;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** One at a time: two of the same endpoints would wait for each other, with fewer successes each. */
const LIMITS: GroupLimits = { calls: 64, atOnce: 1, gather: true };

/** Who sends what a recording claims; without one nothing is claimed. */
export interface Successor {
  mayTake: () => boolean;
  take: (claims: readonly ClaimedDelivery[]) => void;
}

/**
 * Records what attempts came to. Those of one app that succeed while others of it are being recorded share a
 * transaction, which also claims what is due next at their endpoints.
 */
export class OutcomeRecorder {
  private readonly lines = new Map<string, GroupCommit<Call>>();

  constructor(
    private readonly database: Database,
    private readonly lanes: DatabaseLanes,
    private readonly successor?: Successor,
  ) {}

  /** By the holder of the lease: an attempt that outlived its lease says nothing. */
  record(claim: ClaimedDelivery, outcome: AttemptOutcome, facts: RecordFacts): Promise<void> {
    if (outcome.kind === 'made' && succeeded(outcome))
      return this.recordSuccess({ claim, attempt: outcome, now: facts.now });
    return this.lanes.run(() => recordUnsuccessful(this.database, claim, outcome, facts));
  }

  private recordSuccess(success: Success): Promise<void> {
    const { appId, deliveryId, lease } = success.claim;
    return new Promise((resolve, reject) => {
      const line = lineOf(this.lines, appId, (calls) => this.recordAll(calls), LIMITS);
      line.add({ subject: deliveryId, key: lease, success, resolve, reject });
    });
  }

  /** What fails together is recorded one by one: nobody fails for another's delivery. */
  private async recordAll(calls: readonly Call[]): Promise<void> {
    const [first, ...others] = calls;
    if (first === undefined) return;
    try {
      const successes = [first.success, ...others.map(({ success }) => success)] as const;
      const takeNext = this.successor?.mayTake() ?? false;
      const claims = await this.lanes.run(() => recordSuccesses(this.database, successes, takeNext));
      this.successor?.take(claims);
      for (const { resolve } of calls) resolve();
    } catch (error) {
      if (others.length === 0) first.reject(error);
      else for (const call of calls) await this.recordAll([call]);
    }
  }
}
