import { MAX_REST_MINUTES } from '../database/sessionRest.js';
import { isConnectionLost } from '../database/sqlState.js';

const MAX_REST_MS = MAX_REST_MINUTES * 60_000;

/**
 * This process computed for so long that PostgreSQL ended the session of its transaction. That is the fault
 * of the work, unlike other lost connections.
 */
export class SessionRested extends Error {
  override readonly name = 'SessionRested';
}

/**
 * Does work in a transaction.
 *
 * @throws SessionRested where a connection was lost after minutes without rest of the event loop. What
 * PostgreSQL said of it cannot be read: Node finds first that it cannot write.
 */
export async function unlessRested<T>(work: () => Promise<T>): Promise<T> {
  const before = performance.eventLoopUtilization();
  try {
    return await work();
  } catch (error) {
    const isBusy = performance.eventLoopUtilization(before).active >= MAX_REST_MS;
    if (!isBusy || !isConnectionLost(error)) throw error;
    throw new SessionRested('The work took so long that its session was ended.', { cause: error });
  }
}
