import { announceAll } from '../database/outbox.js';
import type { Transaction } from '../database/Transaction.js';
import type { Services } from '../Services.js';
import { placesOf } from './applyInbox.js';
import type { InboxRow } from './applyInbox.js';

/** Takes items out of the inbox and completes the workflows none of whose items wait any longer. */
export async function removeItems(
  tx: Transaction,
  services: Services,
  rows: readonly InboxRow[],
): Promise<void> {
  tx.send(
    `DELETE FROM inbox i USING unnest($2::text[], $3::bigint[]) AS given (customer_id, sequence)
      WHERE i.app_id = $1 AND i.customer_id = given.customer_id AND i.sequence = given.sequence`,
    [tx.appId, ...placesOf(rows)],
  );
  const customerOf = new Map(
    rows.flatMap((row) => (row.workflow_id === null ? [] : [[row.workflow_id, row.customer_id] as const])),
  );
  if (customerOf.size > 0) await settleWorkflows(tx, services, customerOf);
}

async function settleWorkflows(
  tx: Transaction,
  services: Services,
  customerOf: ReadonlyMap<string, string>,
): Promise<void> {
  const settled = await tx.query<{ workflow_id: string; status: string }>(
    `UPDATE workflows w SET updated_at = $4,
       status = CASE WHEN EXISTS (SELECT FROM inbox i
                       WHERE i.app_id = $1 AND i.customer_id = given.customer_id
                         AND i.workflow_id = w.workflow_id)
                THEN 'running' ELSE 'completed' END
      FROM unnest($2::text[], $3::text[]) AS given (workflow_id, customer_id)
     WHERE w.app_id = $1 AND w.workflow_id = given.workflow_id AND w.status IN ('accepted', 'running')
       RETURNING w.workflow_id, w.status`,
    [tx.appId, [...customerOf.keys()], [...customerOf.values()], services.clock()],
  );
  const completed = settled.filter(({ status }) => status === 'completed');
  announceAll(
    tx,
    completed.map(({ workflow_id }) => ({
      type: 'workflow.completed',
      data: { workflow_id, workflow_type: 'profile_recompute', status: 'completed' },
    })),
  );
}

/**
 * Lets claims that come from now on have a workflow of their own: the one they would have shared has ended.
 */
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
    failed.map(({ workflow_id, type }) => ({
      type: 'workflow.failed',
      data: { workflow_id, workflow_type: type, status: 'failed', error_code: error.code },
    })),
  );
}
