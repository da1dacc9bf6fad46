import type { Transaction } from '../database/Transaction.js';
import { notFound } from '../errors.js';
import { reopenDeliveries } from './reopenDeliveries.js';
import { lockAwake, requireActive } from './lockEndpoint.js';
import type { CommandContext } from './CommandContext.js';
import type { WebhookDeliveryPayload } from '../../schema/types/Webhook.js';

/**
 * Sends a delivery again under its own id, so that the receiver can recognize a repeat. It is attempted now
 * and gets the whole schedule again, of which an attempt under way is the first. An ended one gets a new
 * workflow.
 */
export async function redeliverWebhook(
  tx: Transaction,
  { appId, now }: Pick<CommandContext, 'appId' | 'now'>,
  id: string,
  deliveryId: string,
): Promise<WebhookDeliveryPayload> {
  const endpoint = await lockAwake(tx, id, now);
  const delivery = await tx.one(
    'SELECT 1 FROM webhook_deliveries WHERE app_id = $1 AND endpoint_id = $2 AND delivery_id = $3',
    [appId, id, deliveryId],
  );
  if (delivery === undefined) throw notFound('delivery');
  requireActive(endpoint);
  const [reopened] = await reopenDeliveries(tx, id, [deliveryId], now);
  if (reopened === undefined) throw notFound('delivery');
  return { deliveryId, workflowId: reopened.workflow_id };
}
