const MAX_CODE_POINT = 0x10ffff;

/** The least text, by code points, greater than every text with the prefix; undefined when there is none. */
export function prefixEnd(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === MAX_CODE_POINT) points.pop();
  const last = points.pop();
  return last === undefined ? undefined : String.fromCodePoint(...points, successor(last));
}

/** The next code point that is no surrogate. */
function successor(point: number): number {
  return point === 0xd7ff ? 0xe000 : point + 1;
}
