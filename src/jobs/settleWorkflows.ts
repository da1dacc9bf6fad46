import { announceAll } from '../database/outbox.js';
import type { Transaction } from '../database/Transaction.js';
import type { Services } from '../Services.js';
import type { InboxRow } from './applyInbox.js';

/** Takes items out of a customer's inbox and completes the workflows none of whose items wait any longer. */
export async function removeItems(
  tx: Transaction,
  services: Services,
  customerId: string,
  rows: readonly InboxRow[],
): Promise<void> {
  await tx.execute('DELETE FROM inbox WHERE app_id = $1 AND customer_id = $2 AND sequence = ANY ($3)', [
    tx.appId,
    customerId,
    rows.map(({ sequence }) => sequence),
  ]);
  const workflows = new Set(rows.map(({ workflow_id }) => workflow_id).filter((id) => id !== null));
  if (workflows.size > 0) await settleWorkflows(tx, services, customerId, [...workflows]);
}

async function settleWorkflows(
  tx: Transaction,
  services: Services,
  customerId: string,
  workflowIds: readonly string[],
): Promise<void> {
  const settled = await tx.query<{ workflow_id: string; status: string }>(
    `UPDATE workflows w SET updated_at = $4,
       status = CASE WHEN EXISTS (SELECT FROM inbox i WHERE i.app_id = $1 AND i.customer_id = $2 AND i.workflow_id = w.workflow_id)
                THEN 'running' ELSE 'completed' END
     WHERE w.app_id = $1 AND w.workflow_id = ANY ($3) AND w.status IN ('accepted', 'running') RETURNING w.workflow_id, w.status`,
    [tx.appId, customerId, workflowIds, services.clock()],
  );
  const completed = settled.filter(({ status }) => status === 'completed');
  await announceAll(
    tx,
    completed.map(({ workflow_id }) => ({
      type: 'workflow.completed',
      data: { workflow_id, workflow_type: 'profile_recompute', status: 'completed' },
    })),
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
     WHERE app_id = $1 AND workflow_id = $2 AND status IN ('accepted', 'running') RETURNING workflow_id, type`,
    [tx.appId, workflowId, JSON.stringify(error), services.clock()],
  );
  await announceAll(
    tx,
    failed.map(({ workflow_id, type }) => ({
      type: 'workflow.failed',
      data: { workflow_id, workflow_type: type, status: 'failed', error_code: error.code },
    })),
  );
}
