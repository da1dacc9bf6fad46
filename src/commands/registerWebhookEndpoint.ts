import type { Transaction } from '../database/Transaction.js';
import { newId } from '../domain/ids.js';
import type { SecretBox } from '../domain/SecretBox.js';
import type { ReceiverPolicy } from '../domain/webhooks/endpointUrl.js';
import { newSigningSecret } from '../domain/webhooks/signingSecret.js';
import { conflict, validationFailed } from '../errors.js';
import { checkEndpointUrl } from './checkEndpointUrl.js';
import { toEndpoint, webhookEndpoints } from '../../entities/WebhookEndpointEntity.js';
import type { RegisterWebhookEndpointInput } from '../../schema/inputs/WebhookInput.js';
import type { WebhookEndpointSecretPayload } from '../../schema/types/Webhook.js';
import type { CommandContext } from './CommandContext.js';

/** Maximum endpoints of an app. Every change of the app is written once for each of them. */
const MAX_ENDPOINTS = 500;

/** Dependencies of the commands on endpoints, in addition to the transaction. */
export interface WebhookTools {
  secrets: SecretBox;
  policy: ReceiverPolicy;
}

/** Registers a receiver. It receives changes that commit after the registration. */
export async function registerWebhookEndpoint(
  tx: Transaction,
  { appId, now }: Pick<CommandContext, 'appId' | 'now'>,
  input: RegisterWebhookEndpointInput,
  { secrets, policy }: WebhookTools,
): Promise<WebhookEndpointSecretPayload> {
  const url = input.url ?? (await defaultUrl(tx, appId));
  checkEndpointUrl(url, policy);
  await refuseTooMany(tx, appId);
  const signingSecret = newSigningSecret();
  const row = await webhookEndpoints.insertNew(tx, {
    app_id: appId,
    endpoint_id: newId('whe'),
    url,
    enabled_events: [...new Set(input.enabledEvents)],
    status: 'active',
    secret: secrets.seal(signingSecret),
    created_at: now,
    updated_at: now,
  });
  if (row === undefined) throw new Error('The endpoint was not stored.');
  return { endpoint: toEndpoint(row), signingSecret };
}

async function refuseTooMany(tx: Transaction, appId: string): Promise<void> {
  // Registrations of an app are counted one after the other.
  tx.send(`SELECT pg_advisory_xact_lock(hashtextextended('webhook-endpoints:' || $1, 0))`, [appId]);
  const found = await tx.one<{ count: number }>('SELECT count(*) FROM webhook_endpoints WHERE app_id = $1', [
    appId,
  ]);
  if ((found?.count ?? 0) < MAX_ENDPOINTS) return;
  throw conflict(`An app has at most ${MAX_ENDPOINTS} webhook endpoints. Delete one first.`, {
    code: 'too_many_endpoints',
    message: `there are ${MAX_ENDPOINTS} webhook endpoints`,
  });
}

async function defaultUrl(tx: Transaction, appId: string): Promise<string> {
  const app = await tx.one<{ webhook_default_url: string | null }>(
    'SELECT webhook_default_url FROM apps WHERE app_id = $1',
    [appId],
  );
  if (app?.webhook_default_url) return app.webhook_default_url;
  throw validationFailed([
    { code: 'required', message: 'is required: the app has no webhook_default_url', field: 'url' },
  ]);
}
