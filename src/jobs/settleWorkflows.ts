import { announceAll } from '../database/outbox.js';
import type { Transaction } from '../database/Transaction.js';
import type { WebhookMessage } from '../domain/webhooks/WebhookMessage.js';
import { workflowFailed } from '../domain/workflows.js';
import type { Services } from '../Services.js';
import { placesOf } from './ItemHandler.js';
import type { InboxRow } from '../../entities/InboxEntity.js';

/**
 * Removes items from the inbox and completes the workflows without waiting items.
 *
 * @returns what to announce
 */
export async function removeItems(
  tx: Transaction,
  services: Services,
  rows: readonly InboxRow[],
): Promise<WebhookMessage[]> {
  // A plan made while nothing waited compares rows with each range: thanks to the list, no rows of others.
  tx.send(
    `DELETE FROM inbox i USING unnest($2::text[], $3::bigint[], $4::bigint[]) AS given (customer_id, first,
      last)
      WHERE i.app_id = $1 AND i.customer_id = ANY ($2) AND i.customer_id = given.customer_id
        AND i.sequence BETWEEN given.first AND given.last`,
    [tx.appId, ...rangesOf(rows)],
  );
  const workflowIds = new Set(rows.flatMap(({ workflow_id }) => workflow_id ?? []));
  return workflowIds.size === 0 ? [] : settleWorkflows(tx, services, [...workflowIds]);
}

/** Customers, first and last places of items without a gap between: usually one range for each customer. */
function rangesOf(rows: readonly InboxRow[]): [string[], number[], number[]] {
  const firsts: InboxRow[] = [];
  const lasts: number[] = [];
  for (const [at, row] of rows.entries()) {
    const before = rows[at - 1];
    const follows = before?.customer_id === row.customer_id && before.sequence + 1 === row.sequence;
    if (!follows) firsts.push(row);
    lasts[firsts.length - 1] = row.sequence;
  }
  return [...placesOf(firsts), lasts];
}

async function settleWorkflows(
  tx: Transaction,
  services: Services,
  workflowIds: readonly string[],
): Promise<WebhookMessage[]> {
  const settled = await tx.query<{ workflow_id: string; status: string }>(SETTLE, [
    tx.appId,
    workflowIds,
    services.clock(),
  ]);
  const completed = settled.filter(({ status }) => status === 'completed');
  return completed.map(({ workflow_id }) => ({
    type: 'workflow.completed',
    data: { workflow_id, workflow_type: 'profile_recompute', status: 'completed' },
    at: services.clock(),
  }));
}

// The status is spelled so that the planner uses no index of open workflows: these are as many as waiting
// customers.
const SETTLE = `
  UPDATE workflows w SET updated_at = $3,
    status = CASE WHEN EXISTS (SELECT FROM inbox i
                    WHERE i.app_id = $1 AND i.customer_id = w.subject ->> 'customer_id'
                      AND i.workflow_id = w.workflow_id)
             THEN 'running' ELSE 'completed' END
   WHERE w.app_id = $1 AND w.workflow_id = ANY ($2) AND w.status NOT IN ('completed', 'failed')
  RETURNING w.workflow_id, w.status`;

/** Later claims get a new workflow: the one that they would share has ended. */
export async function closeSharedWorkflow(tx: Transaction, customerId: string): Promise<void> {
  await tx.execute(
    'UPDATE customer_heads SET open_workflow_id = NULL WHERE app_id = $1 AND customer_id = $2',
    [tx.appId, customerId],
  );
}

/** Records that a workflow failed, once. */
export async function failWorkflow(
  tx: Transaction,
  services: Services,
  workflowId: string,
  error: { code: string; message: string },
): Promise<void> {
  const failed = await tx.query<{ workflow_id: string; type: string }>(
    `UPDATE workflows SET status = 'failed', error = $3, updated_at = $4
     WHERE app_id = $1 AND workflow_id = $2 AND status IN ('accepted', 'running') RETURNING workflow_id,
       type`,
    [tx.appId, workflowId, JSON.stringify(error), services.clock()],
  );
  announceAll(
    tx,
    failed.map(({ workflow_id, type }) => workflowFailed(workflow_id, type, error.code, services.clock())),
  );
}
