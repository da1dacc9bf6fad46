import type { InboxRow } from '../../entities/InboxEntity.js';
import type { CustomerHead, Heads } from '../commands/customerHead.js';
import type { Transaction } from '../database/Transaction.js';
import type { Services } from '../Services.js';

/** What applied items changed, for the rest of the transaction. */
export interface Touched {
  /** Facts to resolve again, by customer, purpose and attribute. */
  facts: Map<string, { head: CustomerHead; purpose: number; attribute: string }>;
  /** By customer, purpose and object, with the sequences of their new events. */
  objects: Map<string, TouchedObject>;
}

export interface TouchedObject {
  head: CustomerHead;
  purpose: number;
  object: string;
  events: Set<number>;
}

/** Customers and places of items, as parameters of `unnest($2::text[], $3::bigint[])`. */
export function placesOf(rows: readonly InboxRow[]): [string[], number[]] {
  return [rows.map(({ customer_id }) => customer_id), rows.map(({ sequence }) => sequence)];
}

/**
 * SQL of the inbox rows `i` at the places `given`. The subquery keeps the rows found one by one, by their
 * key: with the statistics of a queue that was empty, each waiting row would be compared with each place.
 */
export const ROWS_GIVEN = `CROSS JOIN LATERAL (SELECT * FROM inbox
    WHERE app_id = $1 AND customer_id = given.customer_id AND sequence = given.sequence OFFSET 0) i`;

export function headOf(heads: Heads, { customer_id }: Pick<InboxRow, 'customer_id'>): CustomerHead {
  const head = heads.get(customer_id);
  if (head === undefined) throw new Error('An item is worked on without the head of its customer.');
  return head;
}

/** Why an item failed. Safe to show. */
export interface ItemFailure {
  code: string;
  message: string;
}

/** Applies one kind of item, in the transaction that holds the heads of the items' customers. */
export interface ItemHandler {
  apply(
    tx: Transaction,
    services: Services,
    heads: Heads,
    rows: readonly InboxRow[],
    touched: Touched,
  ): Promise<void>;
  /** Consent was withdrawn after acceptance. The rows leave the inbox afterwards. */
  reject(tx: Transaction, services: Services, rows: readonly InboxRow[]): Promise<void>;
  /**
   * Given up after the last retry. Returns whether the row stays in the inbox, marked, so that it can be
   * retried.
   */
  fail(tx: Transaction, services: Services, row: InboxRow, error: ItemFailure): Promise<{ kept: boolean }>;
}
