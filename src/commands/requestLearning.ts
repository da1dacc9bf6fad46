import type { Transaction } from '../database/Transaction.js';
import { enqueueAt } from '../database/workQueue.js';
import { learningSubject } from '../domain/learningSubject.js';

/** Changes of claims within this time are learned from together. */
export const LEARNING_DELAY_MS = 5000;

/**
 * After this, transactions that saw the former request or snapshot have ended: their writes will be read.
 */
export const SETTLE_MS = 1000;

/**
 * Requests new source accuracies for purposes, by their places, after the claims of this transaction changed.
 */
export function requestLearning(tx: Transaction, purposes: Iterable<number>, now: Date): void {
  const subjects = [...new Set(purposes)].map((purpose) => learningSubject('request', purpose));
  // All customers share the row, and others wait for it until the commit: it is written last.
  tx.beforeCommit(async () =>
    enqueueAt(tx, 'learning', subjects, new Date(now.getTime() + LEARNING_DELAY_MS)),
  );
}

/**
 * Ends the learning of purposes, by their places, that is under way, and has it begin anew: what it has read,
 * this transaction withdraws. None begins before the commit: the caller has called `appendToLedger` or locked
 * the app's row, which `lockOutWithdrawals` waits for.
 */
export function restartLearning(tx: Transaction, appId: string, purposes: Iterable<number>, now: Date): void {
  const runs = [...new Set(purposes)].map((purpose) => learningSubject('run', purpose)).toSorted();
  // Others that withdraw wait for the rows until the commit. One by one, so that all lock them in one order.
  tx.beforeCommit(async () => {
    for (const run of runs) tx.send(RESTART, [appId, run, new Date(now.getTime() + SETTLE_MS)]);
  });
}

/**
 * To be called before a run of learning is written. Waits for withdrawals that end runs, and has others wait
 * until the commit: each commits before the run reads, or finds the run and ends it.
 */
export async function lockOutWithdrawals(tx: Transaction): Promise<void> {
  tx.send('SELECT FROM apps WHERE app_id = $1 FOR SHARE', [tx.appId]);
  await tx.query('SELECT FROM consent_ledger_heads WHERE app_id = $1 FOR SHARE', [tx.appId]);
}

const RESTART = `
  UPDATE work_queue SET ready_at = least(ready_at, $3), restarts = restarts + (ready_at > $3)::integer
   WHERE app_id = $1 AND queue = 'learning' AND subject = $2`;
