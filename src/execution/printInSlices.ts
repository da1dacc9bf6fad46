import { eachInSlices } from '../concurrency/mapInSlices.js';
import { StoredText } from '../documents/StoredText.js';
import { jsonPieces } from '../domain/jsonPieces.js';
import { isLeaf } from '../domain/jsonValue.js';

/** Covers the facts of profiles of customers on a page. Deeper values are printed without slicing. */
export const DATA_DEPTH = 6;

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
  const pieces = jsonPieces(data, depth, {
    print: (value) => (value === undefined ? 'null' : print(value)),
    isWhole: (value) => value instanceof StoredText || Object.values(value).every(isLeaf),
  });
  await eachInSlices(pieces, (piece) => printed.push(piece));
  return printed.join('');
}
