import { setImmediate } from 'node:timers/promises';

let last: Promise<void> = Promise.resolve();

/**
 * Resolves in a round of the event loop without other background work of this process. Long work does about
 * two milliseconds' worth in each, so that requests are answered in between.
 */
export function ownRound(): Promise<void> {
  last = last.then(() => setImmediate());
  return last;
}
