const GREATEST = '\u{10ffff}';

/** The least text, by code points, greater than every text with the prefix; undefined when there is none. */
export function prefixEnd(prefix: string): string | undefined {
  let kept = prefix;
  while (kept.endsWith(GREATEST)) kept = kept.slice(0, -GREATEST.length);
  if (kept === '') return undefined;
  const last = lastPoint(kept);
  const before = kept.slice(0, -String.fromCodePoint(last).length);
  return before + String.fromCodePoint(successor(last));
}

function lastPoint(text: string): number {
  const ofPair = text.codePointAt(text.length - 2) ?? 0;
  return ofPair > 0xffff ? ofPair : text.charCodeAt(text.length - 1);
}

/** The next code point that is no surrogate. */
function successor(point: number): number {
  return point === 0xd7ff ? 0xe000 : point + 1;
}
