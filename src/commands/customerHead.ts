import { AHEAD_OF_SHARES, GATE_TABLES, HEAD_COLUMNS } from '../access/consentGate.js';
import type { GateHead } from '../access/consentGate.js';
import type { Transaction } from '../database/Transaction.js';
import { timeOfChange } from './timeOfChange.js';

/** The row that orders all changes of a customer: consent, ingestion and applying take its lock. */
export interface CustomerHead extends GateHead {
  customer_id: string;
  sequence: number;
  open_workflow_id: string | null;
  app_name: string;
  /** When consent was last granted or withdrawn. */
  changed_at: string;
}

const HEAD = `h.customer_id, h.sequence, h.open_workflow_id, h.changed_at, ${HEAD_COLUMNS}, a.name AS app_name`;

/** The time of what is decided while heads are held: after every earlier decision about their customers. */
export function decisionTime(heads: readonly CustomerHead[], clock: () => Date): Date {
  return timeOfChange(clock(), ...heads.map(({ changed_at }) => changed_at));
}

/** Locked heads of existing customers, by customer. */
export type Heads = ReadonlyMap<string, CustomerHead>;

/**
 * How a head is locked. Who changes it, by consent or by accepting items, takes `FOR NO KEY UPDATE`. Who
 * applies items takes `FOR KEY SHARE`, beside which a head may change, until all is written. Who erases or
 * rewrites what applying writes takes `FOR UPDATE`, which excludes both.
 */
export type HeadLock = 'FOR NO KEY UPDATE' | 'FOR KEY SHARE' | 'FOR UPDATE';

/**
 * Locks the heads of customers in one order, so that two batches cannot deadlock. Unknown ids are left out.
 */
export async function lockHeads(
  tx: Transaction,
  customerIds: readonly string[],
  lock: HeadLock = 'FOR NO KEY UPDATE',
): Promise<Map<string, CustomerHead>> {
  const rows = await tx.query<CustomerHead>(
    `SELECT ${HEAD} FROM ${GATE_TABLES}
     WHERE h.app_id = $1 AND h.customer_id = ANY ($2) ORDER BY h.customer_id ${lock} OF h`,
    [tx.appId, customerIds],
  );
  return new Map(rows.map((row) => [row.customer_id, row]));
}

/** Locks the heads of the inputs' customers. */
export function lockHeadsOf(
  tx: Transaction,
  inputs: readonly { customerId: string }[],
): Promise<Map<string, CustomerHead>> {
  return lockHeads(tx, [...new Set(inputs.map(({ customerId }) => customerId))]);
}

/** Locks one customer's head; undefined when there is no such customer. */
export async function lockHead(
  tx: Transaction,
  customerId: string,
  lock?: HeadLock,
): Promise<CustomerHead | undefined> {
  return (await lockHeads(tx, [customerId], lock)).get(customerId);
}

/**
 * Locks the head for a withdrawal, ahead of everybody who would share it later to send what consent allows.
 *
 * @param options.customer SQL of the customer's id, found by the value
 */
export function lockHeadToWithdraw(
  tx: Transaction,
  value: string,
  { customer = '$2', lock = 'FOR NO KEY UPDATE' }: { customer?: string; lock?: HeadLock } = {},
): Promise<CustomerHead | undefined> {
  return tx.one<CustomerHead>(
    `SELECT ${HEAD}, ${AHEAD_OF_SHARES} FROM ${GATE_TABLES}
     WHERE h.app_id = $1 AND h.customer_id = ${customer} ${lock} OF h`,
    [tx.appId, value],
  );
}

/**
 * Takes the waiting customers for whom nobody else applies items, and locks their heads, in order until so
 * many items wait for them. It waits for none.
 *
 * @param items the most that are taken of a customer, and of all together
 */
export async function takeWaiting(
  tx: Transaction,
  customerIds: readonly string[],
  items: { ofEach: number; ofAll: number },
  lock: HeadLock,
): Promise<Map<string, CustomerHead>> {
  const rows = await tx.query<CustomerHead>(
    `SELECT ${HEAD} FROM ${GATE_TABLES}
       JOIN work_queue w ON w.app_id = h.app_id AND w.queue = 'customer' AND w.subject = h.customer_id
     WHERE h.app_id = $1 AND w.app_id = $1 AND h.customer_id = ANY (ARRAY (
       SELECT customer_id FROM (
         SELECT customer_id, sum(least(sequence - applied_sequence, $3)) OVER (ORDER BY customer_id
             ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS items_before
           FROM customer_heads WHERE app_id = $1 AND customer_id = ANY ($2)) waiting
        WHERE coalesce(items_before, 0) < $4))
      ORDER BY h.customer_id ${lock} OF h SKIP LOCKED FOR UPDATE OF w SKIP LOCKED`,
    [tx.appId, customerIds, items.ofEach, items.ofAll],
  );
  return new Map(rows.map((row) => [row.customer_id, row]));
}
