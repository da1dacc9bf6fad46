import { takeSlice } from '../access/takeSlice.js';
import { StoredText } from '../documents/StoredText.js';

/** Covers the facts of profiles of customers on a page. Deeper values are printed without slicing. */
export const DATA_DEPTH = 6;

/** Values at that depth printed without a pause: each is about the size of a fact. */
const VALUES_A_SLICE = 100;

/**
 * Prints data as `JSON.stringify` does, in slices. Between them the event loop runs other work.
 *
 * @param print prints a small value or stored text
 */
export async function printInSlices(
  data: unknown,
  print: (value: unknown) => string,
  depth = DATA_DEPTH,
): Promise<string> {
  const printed: string[] = [];
  let values = 0;
  for (const piece of pieces(data, depth, print)) {
    printed.push(piece);
    values += 1;
    if (values % VALUES_A_SLICE === 0) await takeSlice(VALUES_A_SLICE);
  }
  return printed.join('');
}

function* pieces(value: unknown, depth: number, print: (value: unknown) => string): Generator<string> {
  if (depth === 0 || typeof value !== 'object' || value === null || value instanceof StoredText) {
    yield value === undefined ? 'null' : print(value);
    return;
  }
  const isList = Array.isArray(value);
  const members: [string, unknown][] = Object.entries(value).filter(
    ([, held]) => isList || held !== undefined,
  );
  let before = isList ? '[' : '{';
  for (const [name, held] of members) {
    yield isList ? before : `${before}${JSON.stringify(name)}:`;
    yield* pieces(held, depth - 1, print);
    before = ',';
  }
  if (members.length === 0) yield before;
  yield isList ? ']' : '}';
}
