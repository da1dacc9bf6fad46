import type { Transaction } from './Transaction.js';

/**
 * Counts of events and claims per app, and of deliveries that go with their customer. Triggers count
 * `customers`, `consent`, `facts` and how deliveries end.
 */
type Measure = `${'claim' | 'event'}_${'accepted' | 'applied' | 'refused' | 'failed'}` | 'delivery_dropped';

export type TallyChange = readonly [measure: Measure, amount: number];

/**
 * Counts the transaction's changes. Rows are only added, so transactions do not wait for each other;
 * `foldTallies` adds them up.
 */
export function tally(tx: Transaction, changes: readonly TallyChange[]): void {
  const counted = changes.filter(([, amount]) => amount !== 0);
  if (counted.length === 0) return;
  tx.send(
    `INSERT INTO tally_changes (app_id, measure, key, amount)
     SELECT $1, measure, -1, amount FROM unnest($2::text[], $3::integer[]) AS given (measure, amount)
       RETURNING 1`,
    [tx.appId, counted.map(([measure]) => measure), counted.map(([, amount]) => amount)],
  );
}
