import { atMost } from './atMost.js';

/**
 * Waits for work, but no longer than so many milliseconds. The work itself goes on.
 *
 * @param lateError makes the error of work that is late
 */
export async function unlessLate<T>(work: Promise<T>, ms: number, lateError: () => Error): Promise<T> {
  if (!(await atMost(ms, work))) throw lateError();
  return work;
}
