import type { Transaction } from '../database/Transaction.js';

/** An item about a customer that may carry an id by which repeats are known. */
export interface KeyedItem {
  customerId: string;
  /** The partner's own id of an event, which identifies repeats. */
  dedupe?: { key: string; hash: string };
}

/** The first event of a key, with its current status. */
export interface KnownEvent {
  event_id: string;
  sequence: number;
  purpose: number;
  epoch: number;
  payload_hash: string;
  status: string;
  accepted_at: string;
}

/** A customer's key, as one text. */
export function nameOfKey(customerId: string, key: string): string {
  return `${customerId}/${key}`;
}

/** The earlier events that used the keys of the items. The customers' heads must be locked. */
export async function findKeys(
  tx: Transaction,
  items: readonly KeyedItem[],
): Promise<Map<string, KnownEvent>> {
  const keyed = items.flatMap(({ customerId, dedupe }) =>
    dedupe === undefined ? [] : [[customerId, dedupe.key]],
  );
  if (keyed.length === 0) return new Map();
  const rows = await tx.query<KnownEvent & { customer_id: string; event_key: string }>(FIND, [
    tx.appId,
    keyed.map(([customerId]) => customerId),
    keyed.map(([, key]) => key),
  ]);
  return new Map(rows.map((row) => [nameOfKey(row.customer_id, row.event_key), row]));
}

// An event is in the inbox until it is settled, then in `events`. One snapshot has it in exactly one of them.
const FIND = `
  SELECT k.customer_id, k.event_key, k.event_id, k.sequence, k.purpose, k.epoch, k.payload_hash,
         coalesce(e.status, CASE WHEN i.attempts > 0 THEN 'processing' ELSE 'accepted' END) AS status,
         coalesce(e.accepted_at, i.accepted_at) AS accepted_at
    FROM (SELECT DISTINCT * FROM unnest($2::text[], $3::text[]) AS asked (customer_id, event_key)) asked
    JOIN event_keys k ON k.app_id = $1 AND k.customer_id = asked.customer_id AND k.event_key = asked.event_key
    LEFT JOIN events e ON e.app_id = $1 AND e.customer_id = k.customer_id AND e.sequence = k.sequence
    LEFT JOIN inbox i ON i.app_id = $1 AND i.customer_id = k.customer_id AND i.sequence = k.sequence`;
