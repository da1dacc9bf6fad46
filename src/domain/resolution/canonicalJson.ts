/**
 * RFC 8785 text of a JSON value. JavaScript writes numbers and texts as the RFC asks for; its sort compares
 * UTF-16 code units. Lists without objects are most of the largest values: they are written natively.
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

function isLeaf(value: unknown): value is string | number | boolean | null | undefined {
  return typeof value !== 'object' || value === null;
}

function hasOwnForm(value: object): value is { toJSON: () => unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}
