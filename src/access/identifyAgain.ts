import { unauthenticated } from '../errors.js';
import type { Caller } from './Caller.js';

/**
 * Longest that a body may take, in milliseconds, for the credential in front of it to count without another
 * look.
 */
const SHORT_MS = 1000;

/**
 * The sender of a body that was just read: whose body came slowly is identified again, as the credential may
 * have ended meanwhile.
 *
 * @param startedAt when the reading began, on the monotonic clock
 * @throws ServiceError `unauthenticated` when the credential no longer counts
 */
export async function identifyAgain(
  startedAt: number,
  caller: Caller,
  identify: () => Promise<Caller>,
): Promise<Caller> {
  if (performance.now() - startedAt < SHORT_MS) return caller;
  const now = await identify();
  if (now.kind === 'anonymous' && caller.kind !== 'anonymous') throw unauthenticated(now);
  return now;
}
