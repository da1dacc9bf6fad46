import type { CustomerHead } from '../commands/customerHead.js';
import type { Transaction } from '../database/Transaction.js';
import { isLive } from '../domain/consent.js';
import type { JsonObject } from '../domain/jsonValue.js';
import type { Services } from '../Services.js';

/** An accepted item that waits in a customer's inbox. */
export interface InboxRow extends Record<string, unknown> {
  sequence: number;
  kind: 'claim' | 'event';
  item_id: string;
  purpose: number;
  epoch: number;
  payload: JsonObject;
  workflow_id: string | null;
  attempts: number;
  accepted_at: string;
}

export const INBOX_COLUMNS = 'sequence, kind, item_id, purpose, epoch, payload, workflow_id, attempts, accepted_at';

/** What applying some items touched, so that the rest of the transaction can follow it up. */
export interface Touched {
  /** `purpose place / attribute`, each to be resolved anew. */
  facts: Map<string, { purpose: number; attribute: string }>;
  /** `purpose place / object`, with the events that came to it. */
  objects: Map<string, { purpose: number; object: string; events: Set<string> }>;
}

/** Why an item came to nothing. Safe to show. */
export interface ItemFailure {
  code: string;
  message: string;
}

/** Whether an item may still be processed, by the head that its transaction holds. */
export function isItemLive(head: CustomerHead, { purpose, epoch }: InboxRow): boolean {
  return isLive({ grantedMask: head.granted_mask & head.allowed_mask, epochs: head.epochs }, purpose, epoch);
}

type Settle = (tx: Transaction, services: Services, head: CustomerHead, rows: readonly InboxRow[]) => Promise<void>;

/** Applies one kind of item. Runs inside the transaction that holds the customer's head. */
export interface ItemHandler {
  apply(
    tx: Transaction,
    services: Services,
    head: CustomerHead,
    rows: readonly InboxRow[],
    touched: Touched,
  ): Promise<void>;
  /** Consent was withdrawn after acceptance. The rows leave the inbox afterwards. */
  reject: Settle;
  /** Given up after the last retry; says whether the row is kept in the inbox, marked, so that it can be retried. */
  fail(
    tx: Transaction,
    services: Services,
    head: CustomerHead,
    row: InboxRow,
    error: ItemFailure,
  ): Promise<{ kept: boolean }>;
}
