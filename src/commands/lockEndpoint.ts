import { webhookEndpoints } from '../../entities/WebhookEndpointEntity.js';
import type { EndpointRow } from '../../entities/WebhookEndpointEntity.js';
import type { Transaction } from '../database/Transaction.js';
import { wakeEndpoints } from './writeDeliveries.js';
import { conflict, notFound } from '../errors.js';

/** The endpoint, locked against other changes. @throws ServiceError `not_found` */
export async function lockEndpoint(tx: Transaction, id: string): Promise<EndpointRow> {
  const { columns } = webhookEndpoints;
  const key = { app_id: tx.app, endpoint_id: id };
  const row = await webhookEndpoints.find(tx, columns, key, 'FOR NO KEY UPDATE');
  if (row === undefined) throw notFound('webhook endpoint');
  return row;
}

/** As `lockEndpoint`, and wakes the delivery worker for the endpoint. */
export function lockAwake(tx: Transaction, id: string, now: Date): Promise<EndpointRow> {
  // The row in the work queue is locked first, as the delivery worker does. A refusal rolls it back.
  wakeEndpoints(tx, [id], now);
  return lockEndpoint(tx, id);
}

/** @throws ServiceError `conflict` when the endpoint is disabled */
export function requireActive({ status }: EndpointRow): void {
  if (status === 'active') return;
  throw conflict('The webhook endpoint is disabled. Enable it first.', {
    code: 'endpoint_disabled',
    message: 'is disabled',
    field: 'status',
  });
}

/** As `lockAwake`, for an endpoint to which something will be sent. */
export async function lockForSending(tx: Transaction, id: string, now: Date): Promise<EndpointRow> {
  const row = await lockAwake(tx, id, now);
  requireActive(row);
  return row;
}
