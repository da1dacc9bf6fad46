import { webhookEndpoints } from '../../entities/WebhookEndpointEntity.js';
import type { EndpointRow } from '../../entities/WebhookEndpointEntity.js';
import type { Transaction } from '../database/Transaction.js';
import { wakeEndpoints } from './writeDeliveries.js';
import { notFound, ServiceError } from '../errors.js';

/** The endpoint, locked against other changes. @throws ServiceError `not_found` */
export async function lockEndpoint(tx: Transaction, appId: string, id: string): Promise<EndpointRow> {
  const { columns } = webhookEndpoints;
  const key = { app_id: appId, endpoint_id: id };
  const row = await webhookEndpoints.find(tx, columns, key, 'FOR NO KEY UPDATE');
  if (row === undefined) throw notFound('webhook endpoint');
  return row;
}

/**
 * As `lockEndpoint`, for an endpoint to which something will be sent. @throws ServiceError `conflict` when it
 * is disabled
 */
export async function lockForSending(
  tx: Transaction,
  appId: string,
  id: string,
  now: Date,
): Promise<EndpointRow> {
  // The row in the work queue is locked first, as the delivery worker does. A refusal rolls it back.
  wakeEndpoints(tx, appId, [id], now);
  const row = await lockEndpoint(tx, appId, id);
  if (row.status === 'active') return row;
  throw new ServiceError('conflict', 'The webhook endpoint is disabled. Enable it first.');
}
