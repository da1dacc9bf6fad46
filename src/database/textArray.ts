import { TEXT } from './MessageGroup.js';

const HEADER_BYTES = 20;
const NULL = -1;

/**
 * Texts as PostgreSQL's binary `text[]`, for a parameter with a cast. In text form each quote is escaped
 * here, and PostgreSQL copies each character separately.
 */
export function textArray(texts: readonly (string | null)[]): Buffer {
  const lengths = texts.map((text) => (text === null ? NULL : Buffer.byteLength(text)));
  const bytes = lengths.reduce((sum, length) => sum + 4 + Math.max(0, length), HEADER_BYTES);
  const array = Buffer.allocUnsafe(bytes);
  const [dimensions, hasNulls, firstIndex] = [1, texts.includes(null) ? 1 : 0, 1];
  let at = 0;
  for (const field of [dimensions, hasNulls, TEXT, texts.length, firstIndex])
    at = array.writeInt32BE(field, at);
  for (const [place, text] of texts.entries()) {
    at = array.writeInt32BE(lengths[place] ?? NULL, at);
    if (text !== null) at += array.write(text, at);
  }
  return array;
}
