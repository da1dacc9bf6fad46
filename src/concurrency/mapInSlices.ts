import { takeSlice } from './takeSlice.js';

/** Work on so many items, or pieces of text, takes about a millisecond. */
const ITEMS_A_SLICE = 100;

/** Like `items.map(work)`, in slices, with other requests between them. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    if (index % ITEMS_A_SLICE === 0) await takeSlice(Math.min(ITEMS_A_SLICE, items.length - index));
    results.push(work(item, index));
  }
  return results;
}

/** Handles pieces of one text. Other requests run after each slice; a text of fewer pieces does not wait. */
export async function eachInSlices(
  pieces: Iterable<string>,
  handle: (piece: string) => unknown,
): Promise<void> {
  let count = 0;
  for (const piece of pieces) {
    handle(piece);
    count += 1;
    if (count % ITEMS_A_SLICE === 0) await takeSlice(ITEMS_A_SLICE);
  }
}
