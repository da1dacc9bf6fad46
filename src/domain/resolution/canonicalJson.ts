/**
 * RFC 8785 text of a JSON value. JavaScript formats numbers and strings as the RFC requires, and sorts by
 * UTF-16 code unit. Arrays without objects are written natively, because most of the largest values are such.
 */
export function canonicalJson(value: unknown): string {
  if (isLeaf(value)) return JSON.stringify(value) ?? 'null';
  if (hasOwnForm(value)) return canonicalJson(value.toJSON());
  if (Array.isArray(value))
    return value.every(isLeaf) ? JSON.stringify(value) : `[${value.map(canonicalJson).join(',')}]`;
  let members = '';
  for (const name of Object.keys(value).toSorted()) {
    const member = (value as Record<string, unknown>)[name];
    if (member === undefined) continue;
    members += `${members === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(member)}`;
  }
  return `{${members}}`;
}

/** The same text in pieces: each value that is so many levels deep is one. */
export function* canonicalPieces(value: unknown, depth: number): Generator<string> {
  if (depth === 0 || isLeaf(value) || hasOwnForm(value)) {
    yield canonicalJson(value);
    return;
  }
  const isList = Array.isArray(value);
  let before = isList ? '[' : '{';
  for (const [name, member] of membersOf(value)) {
    yield isList ? before : `${before}${JSON.stringify(name)}:`;
    yield* canonicalPieces(member, depth - 1);
    before = ',';
  }
  yield `${before === ',' ? '' : before}${isList ? ']' : '}'}`;
}

/** Of an object those with a value, in order; of a list all. */
function membersOf(value: object): [name: string, member: unknown][] {
  if (Array.isArray(value)) return value.map((item) => ['', item]);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return members.toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function isLeaf(value: unknown): value is string | number | boolean | null | undefined {
  return typeof value !== 'object' || value === null;
}

function hasOwnForm(value: object): value is { toJSON: () => unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}
