import type { Transaction } from '../database/Transaction.js';
import { disableEndpoint } from './finishDelivery.js';
import { checkEndpointUrl } from './checkEndpointUrl.js';
import { toEndpoint, webhookEndpoints } from '../../entities/WebhookEndpointEntity.js';
import { lockAwake, lockEndpoint } from './lockEndpoint.js';
import { timeOfChange } from './timeOfChange.js';
import type { UpdateWebhookEndpointInput } from '../../schema/inputs/WebhookInput.js';
import type { WebhookEndpoint } from '../../schema/types/Webhook.js';
import type { CommandContext } from './CommandContext.js';
import { notFound } from '../errors.js';
import type { WebhookTools } from './registerWebhookEndpoint.js';

/** Changes an endpoint; absent members stay. Enabling a disabled endpoint resets its failures. */
export async function updateWebhookEndpoint(
  tx: Transaction,
  { appId, now }: Pick<CommandContext, 'appId' | 'now'>,
  id: string,
  input: UpdateWebhookEndpointInput,
  { policy }: Pick<WebhookTools, 'policy'>,
): Promise<WebhookEndpoint> {
  checkEndpointUrl(input.url, policy);
  // Enabling and disabling wake the worker, which sends or ends whatever waits; so does a new URL, which ends
  // a pause.
  const lock = (input.status ?? input.url) ? lockAwake(tx, id, now) : lockEndpoint(tx, id);
  const before = await lock;
  const updatedAt = timeOfChange(now, before.updated_at);
  if (input.status === 'disabled' && before.status === 'active')
    await disableEndpoint(tx, id, 'requested', now);
  const key = { app_id: appId, endpoint_id: id };
  if (input.status === 'active' && before.status === 'disabled')
    await webhookEndpoints.update(tx, key, { ...ENABLED, ...CLEAN_SLATE, updated_at: updatedAt });
  const url = input.url ?? before.url;
  const row = await webhookEndpoints.updateRow(tx, key, {
    url,
    enabled_events: input.enabledEvents ? [...new Set(input.enabledEvents)] : undefined,
    ...(url === before.url ? {} : CLEAN_SLATE),
    updated_at: updatedAt,
  });
  if (row === undefined) throw notFound('webhook endpoint');
  return toEndpoint(row);
}

const ENABLED = { status: 'active', disabled_reason: null, disabled_at: null } as const;

/** When it is enabled or gets another URL, the earlier failures and pause no longer apply. */
const CLEAN_SLATE = { consecutive_failures: 0, failing_since: null, paused_until: null };
