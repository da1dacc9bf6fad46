import { eachInSlices } from '../concurrency/mapInSlices.js';
import { FreeForm } from '../documents/FreeForm.js';
import { printSpliced, StoredText } from '../documents/StoredText.js';
import { jsonPieces } from '../domain/jsonPieces.js';
import { isLeaf } from '../domain/jsonValue.js';

/** Covers the facts of profiles of customers on a page. Deeper values are printed without slicing. */
export const DATA_DEPTH = 6;

/** Prints data as `printSpliced` does, in slices. Between them the event loop runs other work. */
export async function printInSlices(data: unknown, depth = DATA_DEPTH): Promise<string> {
  const printed: string[] = [];
  const pieces = jsonPieces(data, depth, {
    print: (value) => (value === undefined ? 'null' : printSpliced(value)),
    isWhole: (value) =>
      value instanceof StoredText || value instanceof FreeForm || Object.values(value).every(isLeaf),
  });
  await eachInSlices(pieces, (piece) => printed.push(piece));
  return printed.join('');
}
