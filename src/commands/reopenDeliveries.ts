import type { Transaction } from '../database/Transaction.js';
import { signalWork } from '../database/workSignal.js';
import { newId } from '../domain/ids.js';

/**
 * Makes deliveries of an active endpoint due now, at the start of their schedule; ended ones get a new
 * workflow.
 */
export async function reopenDeliveries(
  tx: Transaction,
  endpointId: string,
  deliveryIds: readonly string[],
  now: Date,
): Promise<{ workflow_id: string }[]> {
  if (deliveryIds.length === 0) return [];
  const held = await tx.query<Held>(HOLD, [tx.appId, deliveryIds, endpointId]);
  const ended = held.map(({ status }) => status !== 'pending');
  const reopened = await tx.query<{ workflow_id: string }>(REOPEN, [
    tx.appId,
    held.map(({ delivery_id: id }) => id),
    held.map(({ workflow_id: id }, place) => (ended[place] === true ? newId('wf') : id)),
    ended,
    now,
    endpointId,
  ]);
  tx.afterCommit(() => signalWork('delivery'));
  return reopened;
}

interface Held {
  delivery_id: string;
  status: string;
  workflow_id: string | null;
}

// A separate statement: Citus does not lock rows in a statement that writes others.
const HOLD = `
  SELECT delivery_id, status, workflow_id FROM webhook_deliveries
   WHERE app_id = $1 AND delivery_id = ANY ($2) AND endpoint_id = $3 ORDER BY delivery_id FOR UPDATE`;

// A leased delivery is being attempted now and keeps its lease: that attempt is the first of the schedule.
// One that is due keeps its turn. Each part reads the parameters separately: Citus would send shared rows to
// every node, including a lost one.
const GIVEN = `unnest($2::text[], $3::text[], $4::boolean[]) AS given (delivery_id, workflow_id, ended)`;

const REOPEN = `
  WITH followed AS (
    INSERT INTO workflows (app_id, workflow_id, type, status, subject, created_at, updated_at)
    SELECT $1, workflow_id, 'webhook_delivery', 'accepted',
           jsonb_build_object('endpoint_id', $6::text, 'delivery_id', delivery_id), $5, $5
      FROM ${GIVEN} WHERE ended RETURNING 1
  )
  UPDATE webhook_deliveries d SET status = 'pending', error_code = NULL, workflow_id = given.workflow_id,
    updated_at = $5,
         next_attempt_at = CASE WHEN d.lease IS NULL THEN least($5, d.next_attempt_at)
                                ELSE d.next_attempt_at END,
         earlier_attempts = d.attempts
    FROM ${GIVEN} WHERE d.app_id = $1 AND d.delivery_id = given.delivery_id
  RETURNING d.workflow_id`;
