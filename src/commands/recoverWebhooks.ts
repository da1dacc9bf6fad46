import type { Transaction } from '../database/Transaction.js';
import { reopenDeliveries } from './reopenDeliveries.js';
import { lockForSending } from './lockEndpoint.js';
import type { RecoverWebhooksInput } from '../../schema/inputs/WebhookInput.js';
import type { RecoverWebhooksPayload } from '../../schema/types/Webhook.js';
import type { CommandContext } from './CommandContext.js';

/** Maximum deliveries that one call sends again. */
const RECOVER_BATCH = 1000;

/**
 * Sends the deliveries that failed since a time again, oldest first. For use after an outage of the receiver,
 * or when a disabled endpoint is enabled.
 */
export async function recoverWebhooks(
  tx: Transaction,
  { appId, now }: Pick<CommandContext, 'appId' | 'now'>,
  id: string,
  { since }: RecoverWebhooksInput,
): Promise<RecoverWebhooksPayload> {
  await lockForSending(tx, id, now);
  const failed = await tx.query<{ delivery_id: string }>(FAILED_SINCE, [appId, id, since, RECOVER_BATCH + 1]);
  const ids = failed.slice(0, RECOVER_BATCH).map((row) => row.delivery_id);
  const reopened = await reopenDeliveries(tx, id, ids, now);
  return { recovered: reopened.length, hasMore: failed.length > RECOVER_BATCH };
}

const FAILED_SINCE = `
  SELECT delivery_id FROM webhook_deliveries
   WHERE app_id = $1 AND endpoint_id = $2 AND status = 'failed' AND created_at >= $3
   ORDER BY delivery_id LIMIT $4`;
