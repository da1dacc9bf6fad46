/** How `jsonPieces` prints a value. */
export interface PieceFormat {
  /** Prints a leaf, a value at the last level or a whole one. */
  print: (value: unknown) => string;
  /** Whether an object above the last level is one piece. */
  isWhole: (value: object) => boolean;
  /** Whether members are sorted by UTF-16 code unit. */
  isSorted?: boolean;
}

/** JSON text in pieces: each value that is `depth` levels deep is one. Undefined members are left out. */
export function* jsonPieces(value: unknown, depth: number, format: PieceFormat): Generator<string> {
  if (depth === 0 || typeof value !== 'object' || value === null || format.isWhole(value)) {
    yield format.print(value);
    return;
  }
  const isList = Array.isArray(value);
  let before = isList ? '[' : '{';
  for (const [name, member] of membersOf(value, format.isSorted)) {
    yield isList ? before : `${before}${JSON.stringify(name)}:`;
    yield* jsonPieces(member, depth - 1, format);
    before = ',';
  }
  yield `${before === ',' ? '' : before}${isList ? ']' : '}'}`;
}

/** The members of an object that have a value; of a list all. */
function membersOf(value: object, isSorted = false): [name: string, member: unknown][] {
  if (Array.isArray(value)) return value.map((item) => ['', item]);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return isSorted ? members.toSorted(([a], [b]) => (a < b ? -1 : 1)) : members;
}
