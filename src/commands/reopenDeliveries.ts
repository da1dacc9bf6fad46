import type { Transaction } from '../database/Transaction.js';
import { signalWork } from '../database/workSignal.js';
import { newId } from '../domain/ids.js';

export interface Reopened extends Record<string, unknown> {
  delivery_id: string;
  workflow_id: string;
}

/** Makes deliveries of an endpoint that was woken due now: those that ended start their schedule anew under a new workflow. */
export async function reopenDeliveries(
  tx: Transaction,
  appId: string,
  endpointId: string,
  deliveryIds: readonly string[],
  now: Date,
): Promise<Reopened[]> {
  if (deliveryIds.length === 0) return [];
  const workflowIds = deliveryIds.map(() => newId('wf'));
  const reopened = await tx.query<Reopened>(REOPEN, [appId, deliveryIds, workflowIds, now, endpointId]);
  tx.afterCommit(() => signalWork('delivery'));
  return reopened;
}

// A leased delivery is being attempted at this moment: it keeps its lease.
const REOPEN = `
  WITH given AS MATERIALIZED (
    SELECT d.delivery_id, d.status, CASE WHEN d.status = 'pending' THEN d.workflow_id ELSE g.workflow_id END AS workflow_id
      FROM unnest($2::text[], $3::text[]) AS g (delivery_id, workflow_id)
      JOIN webhook_deliveries d ON d.app_id = $1 AND d.delivery_id = g.delivery_id AND d.endpoint_id = $5
       FOR UPDATE OF d
  ), followed AS (
    INSERT INTO workflows (app_id, workflow_id, type, status, subject, created_at, updated_at)
    SELECT $1, workflow_id, 'webhook_delivery', 'accepted', jsonb_build_object('endpoint_id', $5::text, 'delivery_id', delivery_id), $4, $4
      FROM given WHERE status <> 'pending' RETURNING 1
  )
  UPDATE webhook_deliveries d SET status = 'pending', error_code = NULL, workflow_id = given.workflow_id, updated_at = $4,
         next_attempt_at = CASE WHEN d.lease IS NULL THEN $4 ELSE d.next_attempt_at END,
         earlier_attempts = CASE WHEN given.status = 'pending' THEN d.earlier_attempts ELSE d.attempts END
    FROM given WHERE d.app_id = $1 AND d.delivery_id = given.delivery_id
  RETURNING d.delivery_id, d.workflow_id`;
