import { announceAll } from '../database/outbox.js';
import { tally } from '../database/tally.js';
import type { Transaction } from '../database/Transaction.js';
import { workflowFailed } from '../domain/workflows.js';
import { notFound } from '../errors.js';
import { appendToLedger } from './appendToLedger.js';
import type { CommandContext } from './CommandContext.js';
import { decisionTime, lockHeadToWithdraw } from './customerHead.js';
import { requestLearning, restartLearning } from './requestLearning.js';

/**
 * Erases a customer and all its data, including stored replays. The ledger keeps the decisions, under ids
 * that no longer refer to anything.
 */
export async function deleteCustomer(
  tx: Transaction,
  { appId, clock }: CommandContext,
  id: string,
): Promise<{ id: string }> {
  const head = await lockHeadToWithdraw(tx, id, { lock: 'FOR UPDATE' });
  if (head === undefined) throw notFound('customer');
  const now = decisionTime([head], clock);
  // In one round trip.
  const [purposes] = await Promise.all([claimedPurposes(tx, id), countDropped(tx, id)]);
  // These have no foreign key. The lock of the head keeps them consistent.
  for (const table of ['inbox', 'events', 'event_keys'])
    await tx.execute(`DELETE FROM ${table} WHERE app_id = $1 AND customer_id = $2`, [appId, id]);
  await tx.execute('DELETE FROM customers WHERE app_id = $1 AND customer_id = $2', [appId, id]);
  await tx.execute('DELETE FROM idempotency_keys WHERE app_id = $1 AND customer_id = $2', [appId, id]);
  await tx.execute(`DELETE FROM work_queue WHERE app_id = $1 AND queue = 'customer' AND subject = $2`, [
    appId,
    id,
  ]);
  await failOpenWorkflows(tx, id, now);
  appendToLedger(tx, { action: 'erased', customer_id: id, decided_at: now.toISOString() });
  // Locked after the ledger, as by what begins a run.
  requestLearning(tx, purposes, clock());
  restartLearning(tx, appId, purposes, clock());
  return { id };
}

/** The overview counts what is not sent because of the erasure. The deliveries go with the customer. */
async function countDropped(tx: Transaction, customerId: string): Promise<void> {
  const [pending] = await tx.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM webhook_deliveries
      WHERE app_id = $1 AND customer_id = $2 AND status = 'pending'`,
    [tx.appId, customerId],
  );
  tally(tx, [['delivery_dropped', pending?.count ?? 0]]);
}

/**
 * Places of the purposes for which something was learned from this customer's claims and must be unlearned.
 */
async function claimedPurposes(tx: Transaction, customerId: string): Promise<number[]> {
  const rows = await tx.query<{ purpose: number }>(
    'SELECT DISTINCT purpose FROM claims WHERE app_id = $1 AND customer_id = $2',
    [tx.appId, customerId],
  );
  return rows.map(({ purpose }) => purpose);
}

/** Ends the workflows of waiting claims, which were erased with the customer. */
async function failOpenWorkflows(tx: Transaction, customerId: string, now: Date): Promise<void> {
  const error = { code: 'customer_erased', message: 'The customer was erased.' };
  const failed = await tx.query<{ workflow_id: string }>(
    `UPDATE workflows SET status = 'failed', error = $3, updated_at = $4
     WHERE app_id = $1 AND subject ->> 'customer_id' = $2 AND type = 'profile_recompute'
       AND status IN ('accepted', 'running') RETURNING workflow_id`,
    [tx.appId, customerId, JSON.stringify(error), now],
  );
  announceAll(
    tx,
    failed.map(({ workflow_id }) => workflowFailed(workflow_id, 'profile_recompute', error.code, now)),
  );
}
