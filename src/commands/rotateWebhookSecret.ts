import type { Transaction } from '../database/Transaction.js';
import { ROTATION_OVERLAP_SECONDS, newSigningSecret } from '../domain/webhooks/signingSecret.js';
import { ENDPOINT_COLUMNS, toEndpoint } from '../../entities/WebhookEndpointEntity.js';
import type { EndpointViewRow } from '../../entities/WebhookEndpointEntity.js';
import { notFound } from '../errors.js';
import type { WebhookEndpointSecretPayload } from '../../schema/types/Webhook.js';
import type { CommandContext } from './CommandContext.js';
import type { WebhookTools } from './registerWebhookEndpoint.js';
import { timeOfChangeSql } from './timeOfChange.js';

/** Gives an endpoint a new signing secret. The previous one also signs for 24 h; older ones stop now. */
export async function rotateWebhookSecret(
  tx: Transaction,
  { appId, now }: Pick<CommandContext, 'appId' | 'now'>,
  id: string,
  { secrets }: Pick<WebhookTools, 'secrets'>,
): Promise<WebhookEndpointSecretPayload> {
  const signingSecret = newSigningSecret();
  const overlapEnds = new Date(now.getTime() + ROTATION_OVERLAP_SECONDS * 1000);
  const row = await tx.one<EndpointViewRow>(
    `UPDATE webhook_endpoints SET previous_secret = secret, previous_secret_expires_at = $4, secret = $3,
      updated_at = ${timeOfChangeSql('$5')}
      WHERE app_id = $1 AND endpoint_id = $2 RETURNING ${ENDPOINT_COLUMNS}`,
    [appId, id, secrets.seal(signingSecret), overlapEnds, now],
  );
  if (row === undefined) throw notFound('webhook endpoint');
  return { endpoint: toEndpoint(row), signingSecret };
}
