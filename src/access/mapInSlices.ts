import { takeSlice } from './takeSlice.js';

/** What is done to them takes about a millisecond. */
const ITEMS_A_SLICE = 100;

/** As `items.map(work)`, in slices between which other requests have their turn. */
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
