import type { Transaction } from '../database/Transaction.js';
import { newId } from '../domain/ids.js';

/** A delivery to write, with the workflow that reports its progress. */
export interface NewDelivery extends Omit<MessageParts, 'type' | 'created_at'> {
  delivery_id: string;
  workflow_id: string;
  endpoint_id: string;
  event_type: string;
  occurred_at: string;
  active: boolean;
}

export interface MessageParts {
  position: number;
  type: string;
  data: Readonly<Record<string, unknown>>;
  customer_id: string | null;
  purpose_mask: number;
  epochs: readonly number[] | null;
  created_at: string;
}

/** @param active whether the endpoint takes deliveries now; otherwise it is written as failed */
export function newDelivery(message: MessageParts, endpointId: string, active: boolean): NewDelivery {
  return {
    delivery_id: newId('whd'),
    workflow_id: newId('wf'),
    endpoint_id: endpointId,
    position: message.position,
    event_type: message.type,
    data: message.data,
    customer_id: message.customer_id,
    purpose_mask: message.purpose_mask,
    epochs: message.epochs,
    occurred_at: message.created_at,
    active,
  };
}

/** Writes deliveries due at once, their workflows, and the work of their endpoints. */
export function writeDeliveries(tx: Transaction, deliveries: readonly NewDelivery[], now: Date): void {
  if (deliveries.length === 0) return;
  tx.send(INSERT_DELIVERIES, [tx.appId, JSON.stringify(deliveries), now]);
  const waiting = deliveries.filter((delivery) => delivery.active).map((delivery) => delivery.endpoint_id);
  wakeEndpoints(tx, [...new Set(waiting)], now);
}

/**
 * Queues endpoints for the delivery worker, in the order of their ids, so that two such transactions cannot
 * deadlock.
 */
export function wakeEndpoints(tx: Transaction, endpointIds: readonly string[], at: Date): void {
  if (endpointIds.length === 0) return;
  tx.send(WAKE, [tx.appId, [...endpointIds].sort(), at]);
}

// Each part reads the deliveries from the parameter separately: Citus would send shared rows to every node,
// including a lost one.
const GIVEN = `jsonb_to_recordset($2::jsonb) AS delivery (delivery_id text, workflow_id text, endpoint_id text,
      position bigint, event_type text, data jsonb, customer_id text, purpose_mask integer, epochs integer[],
      occurred_at timestamptz, active boolean)`;

const INSERT_DELIVERIES = `
  WITH followed AS (
    INSERT INTO workflows (app_id, workflow_id, type, status, subject, error, created_at, updated_at)
    SELECT $1, workflow_id, 'webhook_delivery', CASE WHEN active THEN 'accepted' ELSE 'failed' END,
           jsonb_build_object('endpoint_id', endpoint_id, 'delivery_id', delivery_id),
           CASE WHEN NOT active THEN jsonb_build_object('code', 'endpoint_disabled', 'message',
             'The endpoint was disabled.') END,
           $3, $3
      FROM ${GIVEN} RETURNING 1
  )
  INSERT INTO webhook_deliveries (app_id, delivery_id, endpoint_id, position, event_type, data, customer_id,
    purpose_mask,
         epochs, occurred_at, status, error_code, next_attempt_at, workflow_id, created_at, updated_at)
  SELECT $1, delivery_id, endpoint_id, position, event_type, data, customer_id, purpose_mask, epochs,
         occurred_at,
         CASE WHEN active THEN 'pending' ELSE 'failed' END, CASE WHEN NOT active THEN 'endpoint_disabled' END,
         CASE WHEN active THEN $3::timestamptz END, workflow_id, $3, $3
    FROM ${GIVEN} RETURNING 1`;

const WAKE = `
  INSERT INTO work_queue (app_id, queue, subject, ready_at)
  SELECT $1, 'delivery', endpoint_id, $3 FROM unnest($2::text[]) WITH ORDINALITY AS e (endpoint_id, place)
    ORDER BY place
  ON CONFLICT (app_id, queue, subject) DO UPDATE SET ready_at = least(work_queue.ready_at,
    excluded.ready_at)`;
