import type { Transaction } from '../database/Transaction.js';
import { endpointNotFound } from './lockEndpoint.js';
import type { WebhookCommandContext } from './registerWebhookEndpoint.js';

/** Removes an endpoint with its deliveries; workflows of those still pending fail with `delivery_removed`. */
export async function deleteWebhookEndpoint(
  tx: Transaction,
  { appId }: WebhookCommandContext,
  id: string,
): Promise<{ id: string }> {
  await tx.execute(`DELETE FROM work_queue WHERE app_id = $1 AND queue = 'delivery' AND subject = $2`, [
    appId,
    id,
  ]);
  const deleted = await tx.execute('DELETE FROM webhook_endpoints WHERE app_id = $1 AND endpoint_id = $2', [
    appId,
    id,
  ]);
  if (deleted === 0) throw endpointNotFound();
  return { id };
}
