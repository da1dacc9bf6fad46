import { createHash } from 'node:crypto';
import { canonicalPieces } from '../domain/resolution/canonicalJson.js';
import { takeSlice } from './takeSlice.js';

/** The depth of a batch's items, rejected ones too. Deeper values are hashed whole. */
const DEPTH = 3;

/** Pieces at that depth per slice. */
const PIECES_A_SLICE = 100;

/** Like `payloadHash`, in slices, with other requests between them. */
export async function hashInSlices(operation: string, input: unknown): Promise<string> {
  const hash = createHash('sha256').update(`${operation}\n`);
  let pieces = 0;
  for (const piece of canonicalPieces(input, DEPTH)) {
    hash.update(piece);
    pieces += 1;
    if (pieces % PIECES_A_SLICE === 0) await takeSlice(PIECES_A_SLICE);
  }
  return hash.digest('hex');
}
