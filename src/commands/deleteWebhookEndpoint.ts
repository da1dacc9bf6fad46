import { webhookEndpoints } from '../../entities/WebhookEndpointEntity.js';
import { dequeue } from '../database/workQueue.js';
import type { Transaction } from '../database/Transaction.js';
import { notFound } from '../errors.js';
import type { WebhookCommandContext } from './registerWebhookEndpoint.js';

/** Removes an endpoint and its deliveries. Workflows of pending deliveries fail with `delivery_removed`. */
export async function deleteWebhookEndpoint(
  tx: Transaction,
  { appId }: WebhookCommandContext,
  id: string,
): Promise<{ id: string }> {
  await dequeue(tx, 'delivery', id);
  if ((await webhookEndpoints.delete(tx, { app_id: appId, endpoint_id: id })) === 0)
    throw notFound('webhook endpoint');
  return { id };
}
