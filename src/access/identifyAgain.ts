import { unauthenticated } from '../errors.js';
import type { Caller } from './Caller.js';

/** Maximum duration of a body, in milliseconds, without another check of its credential. */
const SHORT_MS = 1000;

/**
 * The sender of a body that was just read. After a slow body the sender is identified again, as the
 * credential may have ended meanwhile.
 *
 * @param startedAt when the reading began, on the monotonic clock
 * @throws ServiceError `unauthenticated` when the credential is no longer valid
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
