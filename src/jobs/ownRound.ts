import { setImmediate } from 'node:timers/promises';

let last: Promise<void> = Promise.resolve();

/**
 * Resolves in a round of the event loop that no other work in the background of this process has. Whoever
 * works on many things does a few of them in each, about two milliseconds' worth, so that requests are
 * answered in between.
 */
export function ownRound(): Promise<void> {
  last = last.then(() => setImmediate());
  return last;
}
