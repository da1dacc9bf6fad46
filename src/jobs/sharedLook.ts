import { unlessLate } from '../concurrency/unlessLate.js';

/**
 * Maximum wait of a scrape for the database, in milliseconds. It is shorter than another thread or process
 * waits for the metrics (`METRICS_MS`): they come without what the database did not answer.
 */
const LOOK_MS = 2000;

/**
 * A look at the database for metrics. All that ask meanwhile share one, and none begins while an earlier one
 * hangs.
 *
 * @param onFailure is told why a look failed, or that it takes too long
 * @returns what looks. Its answer is undefined after a failure: the scrape must not fail.
 */
export function sharedLook<T>(
  look: () => Promise<T>,
  onFailure: (error: unknown) => void,
): () => Promise<T | undefined> {
  let looking: Promise<T> | undefined;
  let asking: Promise<T | undefined> | undefined;
  const ask = async (): Promise<T | undefined> => {
    looking ??= look().finally(() => (looking = undefined));
    try {
      return await unlessLate(looking, LOOK_MS, () => new Error(`no answer within ${LOOK_MS} ms`));
    } catch (error) {
      onFailure(error);
      return undefined;
    }
  };
  return () => (asking ??= ask().finally(() => (asking = undefined)));
}
