import { maskOf } from '../purposes.js';
import type { Purpose } from '../purposes.js';
import { EVENT_CATALOGUE } from './eventCatalogue.js';
import type { CatalogueEntry, WebhookEventType } from './eventCatalogue.js';
import type { WebhookMessage } from './WebhookMessage.js';

/**
 * Types that report the closing of a purpose, or a state that is readable without consent (an event's id and
 * error, a workflow, a session). They are sent after a revocation too.
 */
const UNGATED: ReadonlySet<WebhookEventType> = new Set<WebhookEventType>([
  'consent.revoked',
  'connection_session.authorized',
  'connection_session.completed',
  'connection_session.expired',
  'connection_session.revoked',
  'entry.created',
  'entry.updated',
  'event.rejected',
  'workflow.completed',
  'workflow.failed',
  'webhook.test',
]);

/**
 * The mask of purposes that gate a message: one of them must be open, in the epoch of the change, at sending.
 * 0: none.
 *
 * @throws Error when a message of a gated type has no purpose
 */
export function gatingMask(message: WebhookMessage): number {
  if (UNGATED.has(message.type)) return 0;
  const mask = maskOf(message.purposes ?? purposesOfData(message.data));
  if (mask === 0)
    throw new Error(`A message of the type ${message.type} names no purpose: nothing would gate it.`);
  return mask;
}

/** The customer of a message; by default the data's `customer_id`. */
export function customerOf({ customerId, data }: WebhookMessage): string | undefined {
  return customerId ?? ('customer_id' in data ? data.customer_id : undefined);
}

function purposesOfData(data: WebhookMessage['data']): readonly Purpose[] {
  if ('purposes' in data) return data.purposes;
  return 'consent_purpose' in data ? [data.consent_purpose] : [];
}

/** Denies by default. @throws Error when a type is neither listed as ungated nor has purposes that gate it */
export function requireGates(catalogue: readonly Pick<CatalogueEntry, 'type' | 'data'>[]): void {
  for (const { type, data } of catalogue) {
    if (UNGATED.has(type) || 'purposes' in data || 'consent_purpose' in data) continue;
    throw new Error(`Messages of the type ${type} carry no purposes, and the type is not listed as ungated.`);
  }
}

requireGates(EVENT_CATALOGUE);
