import { webhookEndpoints } from '../../entities/WebhookEndpointEntity.js';
import type { Transaction } from '../database/Transaction.js';
import { signalWork } from '../database/workSignal.js';
import { notFound } from '../errors.js';
import type { CommandContext } from './CommandContext.js';
import { wakeEndpoints } from './writeDeliveries.js';

/**
 * Removes an endpoint. Nothing more is sent to it. The delivery worker removes its deliveries; workflows of
 * pending ones fail with `delivery_removed`.
 */
export async function deleteWebhookEndpoint(
  tx: Transaction,
  { appId, now }: Pick<CommandContext, 'appId' | 'now'>,
  id: string,
): Promise<{ id: string }> {
  wakeEndpoints(tx, [id], now);
  if ((await webhookEndpoints.delete(tx, { app_id: appId, endpoint_id: id })) === 0)
    throw notFound('webhook endpoint');
  tx.afterCommit(() => signalWork('delivery'));
  return { id };
}
