import type { Purpose } from '../purposes.js';

/**
 * What each event type carries (docs/contract.md#webhooks): ids and states, never profile values. Names are
 * the public ones of the webhook body. `eventCatalogue.ts` publishes the same as JSON Schema; a test compares
 * the two.
 */
export interface WebhookData {
  'consent.granted': {
    receipt_id: string;
    customer_id: string;
    purposes: readonly Purpose[];
    granted_at: string;
  };
  'consent.revoked': {
    receipt_id: string;
    customer_id: string;
    purposes: readonly Purpose[];
    revoked_at: string;
    workflow_id: string;
  };
  'connection_session.authorized': SessionData;
  'connection_session.completed': SessionData;
  'connection_session.expired': SessionData;
  'connection_session.revoked': SessionData;
  'profile.updated': { customer_id: string; purposes: readonly Purpose[]; updated_at: string };
  'intent.updated': {
    intent_id: string;
    customer_id: string;
    category: string;
    consent_purpose: Purpose;
    updated_at: string;
  };
  'entry.created': EntryData;
  'entry.updated': EntryData;
  'event.rejected': { event_id: string; customer_id: string; consent_purpose: Purpose; error_code: string };
  'workflow.completed': { workflow_id: string; workflow_type: string; status: 'completed' };
  'workflow.failed': { workflow_id: string; workflow_type: string; status: 'failed'; error_code: string };
  'webhook.test': { endpoint_id: string };
}

export interface SessionData {
  session_id: string;
  customer_id: string;
  status: string;
  /** What the person approved and has not taken back, once they approved. */
  approved_purposes?: readonly Purpose[];
  consent_receipt_id?: string;
}

export interface EntryData {
  entry_id: string;
  ontology: string;
  checksum: string;
}

export type WebhookEventType = keyof WebhookData;

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
