/**
 * Facts parsed, executed or printed in one round of the event loop, or items of a batch read, hashed or
 * printed in it: about two milliseconds of work.
 */
export const ITEMS_A_ROUND = 200;

interface Waiting {
  items: number;
  start: () => void;
}

const waiting: Waiting[] = [];
let taken = 0;
let scheduled = false;

/**
 * Reserves room for work on so many facts or items. Long work of all requests takes one slice of each round
 * of the event loop, in order of arrival, so that short requests wait little. Background work in the same
 * process takes its slices here too. Work larger than a slice has a round of its own.
 *
 * @returns undefined when this round has room, else a promise that resolves in the round that does
 */
export function takeSlice(items: number): Promise<void> | undefined {
  endRoundLater();
  if (waiting.length === 0 && hasRoom(items)) {
    taken += items;
    return undefined;
  }
  return new Promise((start) => waiting.push({ items, start }));
}

function hasRoom(items: number): boolean {
  return taken === 0 || taken + items <= ITEMS_A_ROUND;
}

function endRoundLater(): void {
  if (scheduled) return;
  scheduled = true;
  setImmediate(beginRound);
}

function beginRound(): void {
  scheduled = false;
  taken = 0;
  for (let [next] = waiting; next !== undefined && hasRoom(next.items); [next] = waiting) {
    waiting.shift();
    taken += next.items;
    next.start();
  }
  if (waiting.length > 0) endRoundLater();
}
