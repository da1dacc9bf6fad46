/**
 * Facts that may be parsed, executed or printed in one round of the event loop, or items of a batch that may
 * be read or hashed: about two milliseconds of them.
 */
const ITEMS_A_ROUND = 200;

interface Waiting {
  items: number;
  start: () => void;
}

const waiting: Waiting[] = [];
let taken = 0;
let scheduled = false;

/**
 * Room for work on so many facts or items. Long work of all requests together takes one slice of each round of
 * the event loop, in the order in which it came, so that short requests are never far from theirs. What is
 * alone larger than a slice has a round to itself.
 *
 * @returns undefined when there is room in this round, else what resolves in the round that has it
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
