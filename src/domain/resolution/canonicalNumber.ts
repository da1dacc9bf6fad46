import { streamSafe } from '../streamSafe.js';

/** A decimal number without separators. */
export const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/iu;

/** Parses a number ("1,234.5", " 12 ") or returns `null`. Commas, spaces or underscores group thousands. */
export function canonicalNumber(text: string): number | null {
  const plain = streamSafe(text, 'NFKC')
    .trim()
    .replace(/(?<=\d)[,\s_](?=\d{3}(?:\D|$))/gu, '');
  if (!DECIMAL.test(plain)) return null;
  const number = Number(plain);
  return Number.isFinite(number) ? number : null;
}
