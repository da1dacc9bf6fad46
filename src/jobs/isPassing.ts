import { isConnectionLost, sqlState } from '../database/sqlState.js';

/**
 * Whether a failure says nothing about the work itself: the connection or the server is gone, short of
 * something, busy, or chose this transaction to give way. Such work is tried again without counting against
 * it.
 */
export function isPassing(error: unknown): boolean {
  if (isConnectionLost(error)) return true;
  if (/^(40|53|55|57|58)/.test(sqlState(error))) return true;
  return error instanceof Error && /after calling end on the pool/i.test(error.message);
}
