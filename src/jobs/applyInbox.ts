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

/** What applying some items touched, so that the rest of the transaction can follow it up. */
export interface Touched {
  /** `purpose place / attribute`, each to be resolved anew. */
  facts: Map<string, { purpose: number; attribute: string }>;
}

/** Whether an item may still be processed, by the head that its transaction holds. */
export function isItemLive(head: CustomerHead, { purpose, epoch }: InboxRow): boolean {
  return isLive({ grantedMask: head.granted_mask & head.allowed_mask, epochs: head.epochs }, purpose, epoch);
}

/** Applies one kind of item. Runs inside the transaction that holds the customer's head. */
export interface ItemHandler {
  apply(
    tx: Transaction,
    services: Services,
    head: CustomerHead,
    rows: readonly InboxRow[],
    touched: Touched,
  ): Promise<void>;
  /** Consent was withdrawn after acceptance. */
  reject(tx: Transaction, services: Services, head: CustomerHead, rows: readonly InboxRow[]): Promise<void>;
  /** Given up after the last retry. */
  fail(
    tx: Transaction,
    services: Services,
    head: CustomerHead,
    rows: readonly InboxRow[],
    error: { code: string; message: string },
  ): Promise<void>;
}
