import { PURPOSES, maskOf } from '../purposes.js';
import type { Purpose } from '../purposes.js';
import type { WebhookEventType, WebhookMessage } from './WebhookMessage.js';

/**
 * Types that report the closing of a purpose itself, or a state that is readable whatever the consent (an event's id and
 * error, a workflow, a session): they are sent after a revocation too.
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

/** The mask of purposes of which at least one must still be open, in the epoch of the change, when the message is sent. 0: none. */
export function gatingMask(message: WebhookMessage): number {
  return UNGATED.has(message.type) ? 0 : maskOf(message.purposes ?? purposesOfData(message.data));
}

/** The customer whom a message is about, by its own data where the caller names none. */
export function customerOf({ customerId, data }: WebhookMessage): string | undefined {
  return customerId ?? ('customer_id' in data ? data.customer_id : undefined);
}

function purposesOfData(data: WebhookMessage['data']): readonly Purpose[] {
  if ('purposes' in data) return data.purposes;
  return 'consent_purpose' in data ? [data.consent_purpose] : [];
}

/** What a customer's head tells of consent now. */
export interface ConsentNow {
  grantedMask: number;
  epochs: readonly number[];
}

/** The purposes of `mask` that are open now in the same epoch as when the change happened. */
export function openPurposes(mask: number, epochs: readonly number[], now: ConsentNow): Purpose[] {
  const stillOpen = (place: number): boolean =>
    (mask & now.grantedMask & (1 << place)) !== 0 && epochs[place] !== undefined && epochs[place] === now.epochs[place];
  return PURPOSES.filter((_, place) => stillOpen(place));
}
