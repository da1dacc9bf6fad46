import { webhookEndpoints } from '../../entities/WebhookEndpointEntity.js';
import type { Transaction } from '../database/Transaction.js';
import { signalWork } from '../database/workSignal.js';
import { notFound } from '../errors.js';
import type { WebhookCommandContext } from './registerWebhookEndpoint.js';
import { wakeEndpoints } from './writeDeliveries.js';

/**
 * Removes an endpoint. Nothing more is sent to it. The delivery worker removes its deliveries; workflows of
 * pending ones fail with `delivery_removed`.
 */
export async function deleteWebhookEndpoint(
  tx: Transaction,
  { appId, now }: WebhookCommandContext,
  id: string,
): Promise<{ id: string }> {
  wakeEndpoints(tx, appId, [id], now);
  if ((await webhookEndpoints.delete(tx, { app_id: appId, endpoint_id: id })) === 0)
    throw notFound('webhook endpoint');
  tx.afterCommit(() => signalWork('delivery'));
  return { id };
}
