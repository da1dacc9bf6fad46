import type { Transaction } from '../database/Transaction.js';
import { INBOX_COLUMNS } from './applyInbox.js';
import type { InboxRow } from './applyInbox.js';

/** The items of a customer to apply together, in order: an item that failed before stands alone. `more`: others wait. */
export async function nextItems(
  tx: Transaction,
  customerId: string,
  most: number,
): Promise<{ rows: InboxRow[]; more: boolean }> {
  const found = await tx.query<InboxRow>(
    `SELECT ${INBOX_COLUMNS} FROM inbox
     WHERE app_id = $1 AND customer_id = $2 AND failed_at IS NULL ORDER BY sequence LIMIT $3`,
    [tx.appId, customerId, most],
  );
  const rows = found.slice(0, lengthOfRun(found));
  return { rows, more: rows.length < found.length || found.length === most };
}

function lengthOfRun(rows: readonly InboxRow[]): number {
  const failed = rows.findIndex(({ attempts }) => attempts > 0);
  if (failed === -1) return rows.length;
  return failed === 0 ? 1 : failed;
}
