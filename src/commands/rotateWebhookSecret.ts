import type { Transaction } from '../database/Transaction.js';
import { ROTATION_OVERLAP_SECONDS, newSigningSecret } from '../domain/webhooks/signingSecret.js';
import { toEndpoint, webhookEndpoints } from '../../entities/WebhookEndpointEntity.js';
import { endpointNotFound, lockEndpoint } from './lockEndpoint.js';
import type { EndpointWithSecret, WebhookCommandContext, WebhookTools } from './registerWebhookEndpoint.js';

/**
 * Gives an endpoint a new signing secret. The one before signs too for 24 h; one older still stops signing
 * now.
 */
export async function rotateWebhookSecret(
  tx: Transaction,
  { appId, now }: WebhookCommandContext,
  id: string,
  { secrets }: Pick<WebhookTools, 'secrets'>,
): Promise<EndpointWithSecret> {
  const signingSecret = newSigningSecret();
  const overlapEnds = new Date(now.getTime() + ROTATION_OVERLAP_SECONDS * 1000);
  const { secret: previous } = await lockEndpoint(tx, appId, id);
  const row = await webhookEndpoints.updateRow(
    tx,
    { app_id: appId, endpoint_id: id },
    {
      secret: secrets.seal(signingSecret),
      previous_secret: previous,
      previous_secret_expires_at: overlapEnds,
      updated_at: now,
    },
  );
  if (row === undefined) throw endpointNotFound();
  return { endpoint: toEndpoint(row), signingSecret };
}
