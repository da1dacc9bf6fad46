import { pointsFor } from './Charge.js';
import type { OperationClass } from './RateLimiter.js';
import type { RequestContext } from './RequestContext.js';

/**
 * Turns that a request takes for each point beyond its first: what reads hundreds of resources runs almost
 * alone.
 */
const WEIGHT = 4;

/**
 * Runs an operation within what its app may do: paid for what it may read, in the app's turn, and corrected
 * by what it did read. A revocation waits for no turn.
 *
 * @param resources that it may read
 * @throws ServiceError `rate_limited`
 */
export async function runBounded<T>(
  { caller, charge, services }: RequestContext,
  operationClass: OperationClass,
  resources: number,
  work: () => T | Promise<T>,
): Promise<T> {
  await charge.spendOnReading(resources);
  try {
    if (caller.kind !== 'app' || operationClass === 'revoke') return await work();
    return await services.turns.run(caller.appId, work, WEIGHT * pointsFor(resources) - WEIGHT + 1);
  } finally {
    await charge.settle();
  }
}
