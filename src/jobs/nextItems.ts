import type { Transaction } from '../database/Transaction.js';
import { groupBy } from '../domain/groupBy.js';
import { INBOX_COLUMNS } from '../../entities/InboxEntity.js';
import type { InboxRow } from '../../entities/InboxEntity.js';

export interface NextItems {
  /** In order within each customer. */
  rows: InboxRow[];
  /** Customers with more waiting items. */
  unfinished: Set<string>;
}

/** The items to apply together, at most so many per customer. An item that failed before is alone. */
export async function nextItems(
  tx: Transaction,
  customerIds: readonly string[],
  most: number,
): Promise<NextItems> {
  const found = await tx.queryInOrder<InboxRow>(
    `SELECT i.* FROM unnest($2::text[]) AS asked (customer_id)
      CROSS JOIN LATERAL (
        SELECT ${INBOX_COLUMNS} FROM inbox i
         WHERE i.app_id = $1 AND i.customer_id = asked.customer_id AND i.failed_at IS NULL ORDER BY i.sequence
           LIMIT $3) i
      ORDER BY i.customer_id, i.sequence`,
    [tx.appId, customerIds, most],
  );
  const next: NextItems = { rows: [], unfinished: new Set() };
  for (const [customerId, rows] of groupBy(found, ({ customer_id }) => customer_id)) {
    const run = rows.slice(0, lengthOfRun(rows));
    next.rows.push(...run);
    if (run.length < rows.length || rows.length === most) next.unfinished.add(customerId);
  }
  return next;
}

function lengthOfRun(rows: readonly InboxRow[]): number {
  const failed = rows.findIndex(({ attempts }) => attempts > 0);
  if (failed === -1) return rows.length;
  return failed === 0 ? 1 : failed;
}
