import { createHash } from 'node:crypto';
import { canonicalPieces } from '../domain/canonicalJson.js';
import { eachInSlices } from '../concurrency/mapInSlices.js';

/** The depth of a batch's items, rejected ones too. Deeper values are hashed whole. */
const DEPTH = 3;

/**
 * The hash of a command's operation and input, equal in GraphQL and REST: `payloadHash`, in slices, with
 * other requests between them.
 */
export async function hashInSlices(operation: string, input: unknown): Promise<string> {
  const hash = createHash('sha256').update(`${operation}\n`);
  await eachInSlices(canonicalPieces(input, DEPTH), (piece) => hash.update(piece));
  return hash.digest('hex');
}
