import { takeWaiting } from '../commands/customerHead.js';
import type { CustomerHead } from '../commands/customerHead.js';
import { sqlState } from '../database/sqlState.js';
import { announceAll } from '../database/outbox.js';
import { tally } from '../database/tally.js';
import type { Transaction } from '../database/Transaction.js';
import { retryWork } from '../database/workQueue.js';
import { backOff } from '../domain/backOff.js';
import type { Services } from '../Services.js';
import type { InboxRow } from '../../entities/InboxEntity.js';
import type { ItemFailure } from './ItemHandler.js';
import { givenUp, MAX_RETRIES } from './givenUp.js';
import { measureRetry, measureSettled } from './ingestMetrics.js';
import { HANDLERS } from './itemHandlers.js';
import { nextItems } from './nextItems.js';
import type { WorkOutcome } from './QueueWorker.js';
import { closeSharedWorkflow, removeItems } from './settleWorkflows.js';

/** The wait before the first retry, in milliseconds. It doubles each time: fifteen seconds in all. */
const FIRST_DELAY_MS = 500;

/**
 * Counts a failure of the first waiting item. It is retried later, or given up so that the items behind it
 * can continue.
 */
export async function recordItemFailure(
  services: Services,
  appId: string,
  customerId: string,
  error: unknown,
): Promise<WorkOutcome> {
  return services.database.transaction(appId, async (tx) => {
    const taken = await takeWaiting(tx, [customerId], { ofEach: 1, ofAll: 1 }, 'FOR UPDATE');
    const head = taken.get(customerId);
    if (head === undefined) return 'locked';
    const {
      rows: [row],
    } = await nextItems(tx, [customerId], 1);
    if (row === undefined) return 'more';
    if (row.attempts < MAX_RETRIES) return retryLater(tx, services, customerId, row);
    await giveUp(tx, services, head, row, reasonOf(error));
    return 'more';
  });
}

async function retryLater(
  tx: Transaction,
  services: Services,
  customerId: string,
  row: InboxRow,
): Promise<WorkOutcome> {
  await tx.execute(
    'UPDATE inbox SET attempts = attempts + 1 WHERE app_id = $1 AND customer_id = $2 AND sequence = $3',
    [tx.appId, customerId, row.sequence],
  );
  const delayMs = backOff(row.attempts, FIRST_DELAY_MS);
  await retryWork(tx, 'customer', customerId, new Date(services.clock().getTime() + delayMs));
  measureRetry(tx, row.kind);
  return 'done';
}

async function giveUp(
  tx: Transaction,
  services: Services,
  head: CustomerHead,
  row: InboxRow,
  reason: ItemFailure,
): Promise<void> {
  const { kept } = await HANDLERS[row.kind].fail(tx, services, row, reason);
  if (kept) await markFailed(tx, services, head.customer_id, row);
  else announceAll(tx, await removeItems(tx, services, [row]));
  await closeSharedWorkflow(tx, head.customer_id);
  await tx.execute(
    `UPDATE work_queue SET attempts = 0, ready_at = $3 WHERE app_id = $1 AND queue = 'customer'
      AND subject = $2`,
    [tx.appId, head.customer_id, services.clock()],
  );
  tally(tx, [[`${row.kind}_failed`, 1]]);
  measureSettled(tx, services, row.kind, 'failed', [row]);
}

async function markFailed(
  tx: Transaction,
  services: Services,
  customerId: string,
  row: InboxRow,
): Promise<void> {
  await tx.execute(
    'UPDATE inbox SET failed_at = $4 WHERE app_id = $1 AND customer_id = $2 AND sequence = $3',
    [tx.appId, customerId, row.sequence, services.clock()],
  );
}

/** A reason without data and SQL, which only the log contains. */
function reasonOf(error: unknown): ItemFailure {
  const state = sqlState(error);
  const kind = /^[0-9A-Z]{5}$/.test(state)
    ? `SQLSTATE ${state}`
    : error instanceof Error
      ? error.name
      : 'unknown';
  return givenUp(`Processing failed ${MAX_RETRIES + 1} times (${kind}).`);
}
