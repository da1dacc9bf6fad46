import { tryLockHead } from '../commands/customerHead.js';
import type { CustomerHead } from '../commands/customerHead.js';
import { purposeAt } from '../commands/receiptRow.js';
import { requestLearning } from '../commands/requestLearning.js';
import { announce } from '../database/outbox.js';
import type { Transaction } from '../database/Transaction.js';
import { dequeue } from '../database/workQueue.js';
import type { Services } from '../Services.js';
import { isItemLive } from './applyInbox.js';
import type { InboxRow, Touched } from './applyInbox.js';
import { measureSettled } from './ingestMetrics.js';
import { isPassing } from './isPassing.js';
import { HANDLERS } from './itemHandlers.js';
import { nextItems } from './nextItems.js';
import type { WorkOutcome } from './QueueWorker.js';
import { recordItemFailure } from './recordItemFailure.js';
import { resolveFacts } from './resolveFacts.js';
import { removeItems } from './settleWorkflows.js';
import { updateIntents } from './updateIntents.js';

/** Items of one customer that one transaction applies: bounds how long the customer's head is held. */
const BATCH = 200;

/**
 * Applies the next items of a customer's inbox, in order: the effect, the cursor and the removal of the items commit in one
 * transaction that holds the customer's head, so nothing is applied twice and no revoke comes in between.
 *
 * Items that cannot be applied together are tried one by one. The one that fails alone is tried again later, each time after
 * twice the wait, and given up at last; until then the customer's later items wait behind it, nobody else's do.
 */
export async function drainCustomer(services: Services, appId: string, customerId: string): Promise<WorkOutcome> {
  try {
    return await drainSome(services, appId, customerId, BATCH);
  } catch (error) {
    if (isPassing(error)) throw error;
    return drainOneByOne(services, appId, customerId);
  }
}

async function drainOneByOne(services: Services, appId: string, customerId: string): Promise<WorkOutcome> {
  try {
    for (let done = 0; done < BATCH; done += 1) {
      const outcome = await drainSome(services, appId, customerId, 1);
      if (outcome !== 'more') return outcome;
    }
    return 'more';
  } catch (error) {
    if (isPassing(error)) throw error;
    services.log.warn({ err: error, app_id: appId, customer_id: customerId }, 'an item could not be applied');
    return recordItemFailure(services, appId, customerId, error);
  }
}

async function drainSome(services: Services, appId: string, customerId: string, most: number): Promise<WorkOutcome> {
  return services.database.transaction(appId, async (tx) => {
    const head = await tryLockHead(tx, customerId);
    if (head === undefined) return skipMissing(tx, customerId);
    // A new statement, so a new snapshot: it sees all that was accepted before the head was locked.
    const { rows, more } = await nextItems(tx, customerId, most);
    await applyRows(tx, services, head, rows);
    if (more) return 'more';
    await dequeue(tx, 'customer', customerId);
    return 'done';
  });
}

/** No lockable head: another worker has it, or the customer was erased, which leaves nothing to find again. */
async function skipMissing(tx: Transaction, customerId: string): Promise<WorkOutcome> {
  const exists = await tx.one('SELECT 1 AS found FROM customer_heads WHERE app_id = $1 AND customer_id = $2', [
    tx.appId,
    customerId,
  ]);
  if (exists !== undefined) return 'locked';
  await dequeue(tx, 'customer', customerId);
  return 'done';
}

async function applyRows(
  tx: Transaction,
  services: Services,
  head: CustomerHead,
  rows: readonly InboxRow[],
): Promise<void> {
  const last = rows.at(-1);
  if (last === undefined) return;
  const touched: Touched = { facts: new Map(), objects: new Map() };
  for (const { kind, live, rows: run } of runsOfKind(rows, head)) {
    if (live) await HANDLERS[kind].apply(tx, services, head, run, touched);
    else await HANDLERS[kind].reject(tx, services, head, run);
    measureSettled(tx, services, kind, live ? 'applied' : 'rejected', run);
  }
  await resolveFacts(tx, services, head, touched.facts.values());
  await updateIntents(tx, services, head, touched.objects.values());
  const purposes = [...touched.facts.values()].map(({ purpose }) => purpose);
  await requestLearning(tx, purposes, services.clock());
  await removeItems(tx, services, head.customer_id, rows);
  await moveCursor(tx, services, head, last.sequence);
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

/** Claims that come from now on belong to a new workflow. A retried item may lie before the cursor. */
async function moveCursor(tx: Transaction, services: Services, head: CustomerHead, last: number): Promise<void> {
  await tx.execute(
    `UPDATE customer_heads SET applied_sequence = greatest(applied_sequence, $3), open_workflow_id = NULL, changed_at = $4
     WHERE app_id = $1 AND customer_id = $2`,
    [tx.appId, head.customer_id, last, services.clock()],
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
