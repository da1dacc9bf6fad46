import type { Purpose } from '../purposes.js';
import type { WebhookData, WebhookEventType } from './eventCatalogue.js';

/** A change to report. Its type decides which purposes gate it (`messageGate.ts`). */
export type WebhookMessage = {
  [T in WebhookEventType]: {
    type: T;
    data: WebhookData[T];
    /** Whose consent gates the message; default: the data's `customer_id`. */
    customerId?: string;
    /** Default: the data's own purposes. One of them must be open in the epoch of the change at sending. */
    purposes?: readonly Purpose[];
    /** The customer's epochs at the change; default: read from `customer_heads` in the same transaction. */
    epochs?: readonly number[];
    /** The time of the change; default: the start of the transaction. */
    at?: Date | string;
  };
}[WebhookEventType];
