import type { Transaction } from '../database/Transaction.js';
import { signalWork } from '../database/workSignal.js';
import { newDelivery, writeDeliveries } from './writeDeliveries.js';
import { lockForSending } from './lockEndpoint.js';
import type { CommandContext } from './CommandContext.js';
import type { WebhookDeliveryPayload } from '../../schema/types/Webhook.js';

/** Sends `webhook.test` to one endpoint, whatever types it has enabled. */
export async function testWebhookEndpoint(
  tx: Transaction,
  { now }: Pick<CommandContext, 'now'>,
  id: string,
): Promise<WebhookDeliveryPayload> {
  await lockForSending(tx, id, now);
  const message = {
    position: 0,
    type: 'webhook.test',
    data: { endpoint_id: id },
    customer_id: null,
    purpose_mask: 0,
    epochs: null,
  };
  const delivery = newDelivery({ ...message, created_at: now.toISOString() }, id, true);
  writeDeliveries(tx, [delivery], now);
  tx.afterCommit(() => signalWork('delivery'));
  return { deliveryId: delivery.delivery_id, workflowId: delivery.workflow_id };
}
