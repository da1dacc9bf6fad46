import type { Transaction } from '../database/Transaction.js';
import { disableEndpoint } from './finishDelivery.js';
import { checkEndpointUrl } from './checkEndpointUrl.js';
import { ENDPOINT_COLUMNS, toEndpoint } from '../../entities/WebhookEndpointEntity.js';
import { endpointNotFound, lockEndpoint } from './lockEndpoint.js';
import type { EndpointView, EndpointViewRow } from '../../entities/WebhookEndpointEntity.js';
import type { WebhookCommandContext, WebhookTools } from './registerWebhookEndpoint.js';

export interface UpdateWebhookEndpointInput {
  url?: string | null;
  enabledEvents?: string[] | null;
  status?: 'active' | 'disabled' | null;
}

/** Changes an endpoint; what is absent stays. Enabling one that was disabled forgets its failures. */
export async function updateWebhookEndpoint(
  tx: Transaction,
  { appId, now }: WebhookCommandContext,
  id: string,
  input: UpdateWebhookEndpointInput,
  { policy }: Pick<WebhookTools, 'policy'>,
): Promise<EndpointView> {
  checkEndpointUrl(input.url, policy);
  const before = await lockEndpoint(tx, appId, id);
  if (input.status === 'disabled' && before.status === 'active')
    await disableEndpoint(tx, appId, id, 'requested', now);
  if (input.status === 'active' && before.status === 'disabled') await tx.execute(ENABLE, [appId, id]);
  const events = input.enabledEvents ? [...new Set(input.enabledEvents)] : null;
  const row = await tx.one<EndpointViewRow>(UPDATE, [appId, id, input.url ?? null, events, now]);
  if (row === undefined) throw endpointNotFound();
  return toEndpoint(row);
}

const ENABLE = `
  UPDATE webhook_endpoints SET status = 'active', disabled_reason = NULL, disabled_at = NULL,
         consecutive_failures = 0, failing_since = NULL, paused_until = NULL
   WHERE app_id = $1 AND endpoint_id = $2`;

// Another receiver starts with a clean slate: the old one's pause and failures are not its own.
const UPDATE = `
  UPDATE webhook_endpoints SET url = coalesce($3, url), enabled_events = coalesce($4, enabled_events),
    updated_at = $5,
         consecutive_failures = CASE WHEN $3 <> url THEN 0 ELSE consecutive_failures END,
         failing_since = CASE WHEN $3 <> url THEN NULL ELSE failing_since END,
         paused_until = CASE WHEN $3 <> url THEN NULL ELSE paused_until END
   WHERE app_id = $1 AND endpoint_id = $2 RETURNING ${ENDPOINT_COLUMNS}`;
