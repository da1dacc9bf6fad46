import type { Transaction } from '../database/Transaction.js';
import type { DropReason } from '../access/consentGate.js';
import { timeOfChangeSql } from './timeOfChange.js';

export interface DeliveryEnd {
  status: 'delivered' | 'failed' | 'dropped';
  errorCode?: string;
  /** The message for the workflow. */
  message?: string;
  /** Whether an attempt ended them; then it is counted. */
  attempted?: boolean;
}

const DROP_MESSAGES: Readonly<Record<DropReason, string>> = {
  consent_withdrawn: 'Consent was withdrawn before the message was sent.',
  customer_erased: 'The customer was erased before the message was sent.',
  app_disabled: 'The app is disabled.',
};

/** Ends pending deliveries and their workflows in the transaction. */
export function endDeliveries(
  tx: Transaction,
  deliveryIds: readonly string[],
  end: DeliveryEnd,
  now: Date,
): void {
  const error =
    end.errorCode === undefined
      ? null
      : JSON.stringify({ code: end.errorCode, message: end.message ?? end.errorCode });
  const attempts = end.attempted === true ? 1 : 0;
  tx.send(END, [tx.appId, deliveryIds, end.status, end.errorCode ?? null, error, now, attempts]);
}

/**
 * Ends a delivery that may not be sent. Deliveries to a disabled app count as failed, so they can be
 * recovered.
 */
export function dropDelivery(tx: Transaction, deliveryId: string, reason: DropReason, now: Date): void {
  const status = reason === 'app_disabled' ? 'failed' : 'dropped';
  endDeliveries(tx, [deliveryId], { status, errorCode: reason, message: DROP_MESSAGES[reason] }, now);
}

/** Pending deliveries that one transaction ends or removes: it holds no lock for long, however many wait. */
export const ENDED_AT_ONCE = 1000;

/**
 * Stops sending to an endpoint. Pending deliveries fail; they can be recovered when it is enabled again. The
 * worker, which the caller wakes, ends those above the first `ENDED_AT_ONCE`, and those that are under way
 * when their outcome is recorded, unless they got through.
 */
export async function disableEndpoint(
  tx: Transaction,
  endpointId: string,
  reason: 'gone' | 'failing' | 'requested',
  now: Date,
): Promise<void> {
  await tx.execute(DISABLE, [tx.appId, endpointId, reason, now]);
  await endPending(tx, endpointId, now);
}

/**
 * Ends some of what waits for a disabled endpoint, but nothing that is under way: the receiver may have it.
 *
 * @returns whether more may wait
 */
export async function endPending(tx: Transaction, endpointId: string, now: Date): Promise<boolean> {
  const pending = await tx.query<{ delivery_id: string }>(PENDING, [tx.appId, endpointId, now]);
  const ids = pending.map((row) => row.delivery_id);
  if (ids.length === 0) return false;
  endDeliveries(
    tx,
    ids,
    { status: 'failed', errorCode: 'endpoint_disabled', message: 'The endpoint was disabled.' },
    now,
  );
  return ids.length === ENDED_AT_ONCE;
}

// The status is spelled so that PostgreSQL does not use an index of pending deliveries for it: see `HELD`.
const END = `
  WITH ended AS (
    UPDATE webhook_deliveries SET status = $3, error_code = $4, lease = NULL, next_attempt_at = NULL,
      updated_at = $6, attempts = attempts + $7
     WHERE app_id = $1 AND delivery_id = ANY ($2) AND status NOT IN ('delivered', 'failed', 'dropped')
    RETURNING workflow_id
  )
  UPDATE workflows w SET status = CASE WHEN $5::jsonb IS NULL THEN 'completed' ELSE 'failed' END,
    error = $5::jsonb, updated_at = $6
   WHERE w.app_id = $1 AND w.workflow_id = ANY (ARRAY (SELECT workflow_id FROM ended))`;

const DISABLE = `
  UPDATE webhook_endpoints SET status = 'disabled', disabled_reason = $3, disabled_at = $4,
      updated_at = ${timeOfChangeSql('$4')}
   WHERE app_id = $1 AND endpoint_id = $2 AND status = 'active'`;

const PENDING = `
  SELECT delivery_id FROM webhook_deliveries WHERE app_id = $1 AND endpoint_id = $2 AND status = 'pending'
     AND (lease IS NULL OR next_attempt_at <= $3) LIMIT ${ENDED_AT_ONCE}`;
