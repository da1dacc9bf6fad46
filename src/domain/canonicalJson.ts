import { jsonPieces } from './jsonPieces.js';
import { isLeaf } from './jsonValue.js';

/**
 * RFC 8785 text of a JSON value. JavaScript formats numbers and strings as the RFC requires, and sorts by
 * UTF-16 code unit. Arrays without objects are written natively, because most of the largest values are such.
 */
export function canonicalJson(value: unknown): string {
  if (isLeaf(value)) return JSON.stringify(value) ?? 'null';
  if (hasOwnForm(value)) return canonicalJson(value.toJSON());
  if (Array.isArray(value))
    return value.every(isWithoutObjects) ? JSON.stringify(value) : `[${value.map(canonicalJson).join(',')}]`;
  let members = '';
  for (const name of Object.keys(value).toSorted()) {
    const member = (value as Record<string, unknown>)[name];
    if (member === undefined) continue;
    members += `${members === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(member)}`;
  }
  return `{${members}}`;
}

/** The same text in pieces: each value that is so many levels deep is one. */
export function canonicalPieces(value: unknown, depth: number): Generator<string> {
  return jsonPieces(value, depth, { print: canonicalJson, isWhole: hasOwnForm, isSorted: true });
}

function isWithoutObjects(value: unknown): boolean {
  return Array.isArray(value) ? value.every(isWithoutObjects) : isLeaf(value);
}

function hasOwnForm(value: object): value is { toJSON: () => unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}
