import { tryLockHead } from '../commands/customerHead.js';
import type { CustomerHead } from '../commands/customerHead.js';
import { purposeAt } from '../commands/receiptRow.js';
import { announce } from '../database/outbox.js';
import type { Transaction } from '../database/Transaction.js';
import { dequeue } from '../database/workQueue.js';
import type { Services } from '../Services.js';
import { claimHandler } from './applyClaims.js';
import { isItemLive } from './applyInbox.js';
import type { InboxRow, ItemHandler, Touched } from './applyInbox.js';
import { requestLearning } from '../commands/requestLearning.js';
import { resolveFacts } from './resolveFacts.js';

/** Items of one customer that one transaction applies: bounds how long the customer's head is held. */
const BATCH = 200;

const HANDLERS: Partial<Record<InboxRow['kind'], ItemHandler>> = { claim: claimHandler };

/**
 * Applies the next items of a customer's inbox, in order: the effect, the cursor and the removal of the items commit in one
 * transaction that holds the customer's head, so nothing is applied twice and no revoke comes in between.
 *
 * @returns whether items may be left
 */
export async function drainCustomer(services: Services, appId: string, customerId: string): Promise<boolean> {
  return services.database.transaction(appId, async (tx) => {
    const head = await tryLockHead(tx, customerId);
    if (head === undefined) return skipMissing(tx, customerId);
    // A new statement, so a new snapshot: it sees all that was accepted before the head was locked.
    const rows = await nextRows(tx, customerId);
    await applyRows(tx, services, head, rows);
    if (rows.length === BATCH) return true;
    await dequeue(tx, 'customer', customerId);
    return false;
  });
}

/** No lockable head: another worker has it, or the customer was erased, which leaves nothing to find again. */
async function skipMissing(tx: Transaction, customerId: string): Promise<boolean> {
  const exists = await tx.one('SELECT 1 AS found FROM customer_heads WHERE app_id = $1 AND customer_id = $2', [
    tx.appId,
    customerId,
  ]);
  if (exists === undefined) await dequeue(tx, 'customer', customerId);
  return false;
}

function nextRows(tx: Transaction, customerId: string): Promise<InboxRow[]> {
  return tx.query<InboxRow>(
    `SELECT sequence, kind, item_id, purpose, epoch, payload, workflow_id, attempts, accepted_at FROM inbox
     WHERE app_id = $1 AND customer_id = $2 ORDER BY sequence LIMIT ${BATCH}`,
    [tx.appId, customerId],
  );
}

async function applyRows(
  tx: Transaction,
  services: Services,
  head: CustomerHead,
  rows: readonly InboxRow[],
): Promise<void> {
  const last = rows.at(-1);
  if (last === undefined) return;
  const touched: Touched = { facts: new Map() };
  for (const run of runsOfKind(rows, head)) {
    const handler = HANDLERS[run.kind];
    if (handler === undefined) throw new Error(`Nothing handles items of kind ${run.kind}.`);
    if (run.live) await handler.apply(tx, services, head, run.rows, touched);
    else await handler.reject(tx, services, head, run.rows);
  }
  await resolveFacts(tx, services, head, touched.facts.values());
  const purposes = [...touched.facts.values()].map(({ purpose }) => purpose);
  await requestLearning(tx, purposes, services.clock());
  await finishRows(tx, services, head, rows, last.sequence);
  await reportFacts(tx, services, head, touched);
}

interface Run {
  kind: InboxRow['kind'];
  live: boolean;
  rows: InboxRow[];
}

/** Neighbours of one kind and fate, kept in order. */
function runsOfKind(rows: readonly InboxRow[], head: CustomerHead): Run[] {
  const runs: Run[] = [];
  for (const row of rows) {
    const live = isItemLive(head, row);
    const last = runs.at(-1);
    if (last?.kind === row.kind && last.live === live) last.rows.push(row);
    else runs.push({ kind: row.kind, live, rows: [row] });
  }
  return runs;
}

/** Removes the items, moves the cursor, and completes workflows none of whose items wait any longer. */
async function finishRows(
  tx: Transaction,
  services: Services,
  head: CustomerHead,
  rows: readonly InboxRow[],
  last: number,
): Promise<void> {
  const now = services.clock();
  await tx.execute('DELETE FROM inbox WHERE app_id = $1 AND customer_id = $2 AND sequence <= $3', [
    tx.appId,
    head.customer_id,
    last,
  ]);
  await tx.execute(
    'UPDATE customer_heads SET applied_sequence = $3, open_workflow_id = NULL, changed_at = $4 WHERE app_id = $1 AND customer_id = $2',
    [tx.appId, head.customer_id, last, now],
  );
  const workflows = [...new Set(rows.map((row) => row.workflow_id).filter((id) => id !== null))];
  if (workflows.length === 0) return;
  await tx.execute(
    `UPDATE workflows w SET updated_at = $4,
       status = CASE WHEN EXISTS (SELECT FROM inbox i WHERE i.app_id = $1 AND i.customer_id = $2 AND i.workflow_id = w.workflow_id)
                THEN 'running' ELSE 'completed' END
     WHERE w.app_id = $1 AND w.workflow_id = ANY ($3) AND w.status IN ('accepted', 'running')`,
    [tx.appId, head.customer_id, workflows, now],
  );
}

async function reportFacts(tx: Transaction, services: Services, head: CustomerHead, touched: Touched): Promise<void> {
  if (touched.facts.size === 0) return;
  const places = new Set([...touched.facts.values()].map(({ purpose }) => purpose));
  const purposes = [...places].toSorted((a, b) => a - b).map(purposeAt);
  const updatedAt = services.clock().toISOString();
  await announce(tx, {
    type: 'profile.updated',
    data: { customer_id: head.customer_id, purposes, updated_at: updatedAt },
    customerId: head.customer_id,
    purposes,
    epochs: head.epochs,
    at: updatedAt,
  });
}
