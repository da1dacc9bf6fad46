import { lineOf } from '../../commands/GroupCommit.js';
import type { GroupCommit, GroupedCall } from '../../commands/GroupCommit.js';
import type { Database } from '../../database/Database.js';
import type { DatabaseLanes } from './DatabaseLanes.js';
import { recordSuccesses } from './recordOutcome.js';
import type { Success } from './recordOutcome.js';

interface Call extends GroupedCall {
  success: Success;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * Records attempts that succeeded. Those of one endpoint that end while others of it are being recorded share
 * a transaction: all of them lock its row, so alone each would wait for the commit of the one before.
 */
export class SuccessRecorder {
  private readonly lines = new Map<string, GroupCommit<Call>>();

  constructor(
    private readonly database: Database,
    private readonly lanes: DatabaseLanes,
  ) {}

  record(success: Success): Promise<void> {
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
