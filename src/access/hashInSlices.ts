import { createHash } from 'node:crypto';
import { canonicalPieces } from '../domain/resolution/canonicalJson.js';
import { takeSlice } from './takeSlice.js';

/** Deep enough for the items of a batch, and for those that were rejected; what is deeper is hashed whole. */
const DEPTH = 3;

/** Pieces at that depth that are hashed in one go. */
const PIECES_A_SLICE = 100;

/** As `payloadHash`, in slices between which other requests have their turn. */
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
