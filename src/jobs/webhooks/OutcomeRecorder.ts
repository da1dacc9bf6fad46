import { lineOf } from '../../commands/GroupCommit.js';
import type { GroupCommit, GroupedCall } from '../../commands/GroupCommit.js';
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

/**
 * Records what attempts came to. Those of one endpoint that succeed while others of it are being recorded
 * share a transaction: all of them lock its row, so alone each would wait for the commit of the one before.
 */
export class OutcomeRecorder {
  private readonly lines = new Map<string, GroupCommit<Call>>();

  constructor(
    private readonly database: Database,
    private readonly lanes: DatabaseLanes,
  ) {}

  /** By the holder of the lease: an attempt that outlived its lease says nothing. */
  record(claim: ClaimedDelivery, outcome: AttemptOutcome, facts: RecordFacts): Promise<void> {
    if (outcome.kind === 'made' && succeeded(outcome))
      return this.recordSuccess({ claim, attempt: outcome, now: facts.now });
    return this.lanes.run(() => recordUnsuccessful(this.database, claim, outcome, facts));
  }

  private recordSuccess(success: Success): Promise<void> {
    const { endpointId, deliveryId, lease } = success.claim;
    return new Promise((resolve, reject) => {
      const line = lineOf(this.lines, endpointId, (calls) => this.recordAll(calls));
      line.add({ subject: deliveryId, key: lease, success, resolve, reject });
    });
  }

  /** What fails together is recorded one by one: nobody fails for another's delivery. */
  private async recordAll(calls: readonly Call[]): Promise<void> {
    const [first, ...others] = calls;
    if (first === undefined) return;
    try {
      const successes = [first.success, ...others.map(({ success }) => success)] as const;
      await this.lanes.run(() => recordSuccesses(this.database, successes));
      for (const { resolve } of calls) resolve();
    } catch (error) {
      if (others.length === 0) first.reject(error);
      else for (const call of calls) await this.recordAll([call]);
    }
  }
}
