import type { Transaction } from '../database/Transaction.js';
import { signalWork } from '../database/workSignal.js';
import { wakeEndpoints } from './writeDeliveries.js';

/**
 * Retries a failed `webhook_delivery` workflow: its delivery gets the whole schedule again under the same
 * workflow.
 *
 * @returns false when there is nothing to retry: no such failed workflow, its delivery gone or sent again
 * since, or its endpoint disabled
 */
export async function retryWebhookWorkflow(tx: Transaction, workflowId: string, now: Date): Promise<boolean> {
  const found = await tx.one<{ endpoint_id: string }>(ENDPOINT_OF, [tx.appId, workflowId]);
  if (found === undefined) return false;
  wakeEndpoints(tx, [found.endpoint_id], now);
  const reopened = await tx.execute(REOPEN, [tx.appId, workflowId, now]);
  tx.afterCommit(() => signalWork('delivery'));
  return reopened === 1;
}

const ENDPOINT_OF = `
  SELECT e.endpoint_id FROM workflows w
    JOIN webhook_endpoints e ON e.app_id = w.app_id AND e.endpoint_id = w.subject ->> 'endpoint_id'
      AND e.status = 'active'
   WHERE w.app_id = $1 AND w.workflow_id = $2 AND w.type = 'webhook_delivery' AND w.status = 'failed'`;

const REOPEN = `
  WITH reopened AS (
    UPDATE webhook_deliveries d SET status = 'pending', error_code = NULL, next_attempt_at = $3,
      updated_at = $3,
           earlier_attempts = d.attempts
      FROM workflows w
     WHERE w.app_id = $1 AND w.workflow_id = $2 AND d.app_id = $1
       AND d.delivery_id = w.subject ->> 'delivery_id'
       AND d.workflow_id = w.workflow_id AND d.status <> 'pending'
    RETURNING d.workflow_id
  )
  UPDATE workflows w SET status = 'accepted', error = NULL, updated_at = $3
    FROM reopened WHERE w.app_id = $1 AND w.workflow_id = reopened.workflow_id`;
