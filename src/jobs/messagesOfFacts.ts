import type { CustomerHead } from '../commands/customerHead.js';
import { purposeAt } from '../domain/purposes.js';
import { groupBy } from '../domain/groupBy.js';
import type { WebhookMessage } from '../domain/webhooks/WebhookMessage.js';
import type { Services } from '../Services.js';

/** A changed fact, with its customer's head, which the transaction holds. */
export interface ChangedFact {
  head: CustomerHead;
  purpose: number;
}

/** Webhooks about changed facts, one message per customer. */
export function messagesOfFacts(services: Services, facts: Iterable<ChangedFact>): WebhookMessage[] {
  const at = services.clock().toISOString();
  return [...groupBy(facts, ({ head }) => head)].map(([head, own]) => {
    const places = new Set(own.map(({ purpose }) => purpose));
    const purposes = [...places].toSorted((a, b) => a - b).map(purposeAt);
    return {
      type: 'profile.updated',
      data: { customer_id: head.customer_id, purposes, updated_at: at },
      customerId: head.customer_id,
      purposes,
      epochs: head.epochs,
      at,
    };
  });
}
