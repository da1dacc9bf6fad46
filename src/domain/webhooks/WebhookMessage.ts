import type { Purpose } from '../purposes.js';
import type { WebhookData, WebhookEventType } from './eventCatalogue.js';

/** A change to report. The type decides which purposes gate it, see `messageGate.ts`. */
export type WebhookMessage = {
  [T in WebhookEventType]: {
    type: T;
    data: WebhookData[T];
    /** Whose consent gates the message; the data's `customer_id` when absent. */
    customerId?: string;
    /**
     * What the message is about, the data's own purposes when absent. It is sent only while one of them is
     * open in the epoch of the change.
     */
    purposes?: readonly Purpose[];
    /**
     * The customer's epochs at the change; read from `customer_heads` in the same transaction when absent.
     */
    epochs?: readonly number[];
    /** When the change happened; the transaction's start when absent. */
    at?: Date | string;
  };
}[WebhookEventType];
