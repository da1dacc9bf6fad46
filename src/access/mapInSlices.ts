import { takeSlice } from './takeSlice.js';

/** Work on so many items takes about a millisecond. */
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
