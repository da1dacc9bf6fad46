import { StoredText } from '../domain/StoredText.js';

/** JSON of an answer with its stored texts in their places. As `JSON.stringify`, members that are undefined are left out. */
export function printSpliced(value: unknown): string {
  if (value instanceof StoredText) return value.text;
  if (Array.isArray(value)) return `[${value.map(printSpliced).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  let text = '';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${printSpliced(member)}`;
  }
  return `{${text}}`;
}
