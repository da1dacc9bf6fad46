import type { Transaction } from '../database/Transaction.js';
import { enqueue } from '../database/workQueue.js';

/** Changes of claims within this time are learned from together. */
export const LEARNING_DELAY_MS = 5000;

/**
 * Requests new source accuracies for purposes, by their places, after the claims of this transaction changed.
 */
export function requestLearning(tx: Transaction, purposes: Iterable<number>, now: Date): void {
  const subjects = [...new Set(purposes)].map(String);
  // All customers share the row, and others wait for it until the commit: it is written last.
  tx.beforeCommit(async () => enqueue(tx, 'learning', subjects, new Date(now.getTime() + LEARNING_DELAY_MS)));
}
