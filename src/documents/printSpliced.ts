import { StoredText } from './StoredText.js';

/**
 * JSON of an answer with its stored texts in their places. As `JSON.stringify`, members that are undefined
 * are left out.
 */
export function printSpliced(value: unknown): string {
  if (value instanceof StoredText) return value.text;
  if (Array.isArray(value)) return `[${value.map(printSpliced).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  let text = '';
  for (const name of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[name];
    if (member === undefined) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${printSpliced(member)}`;
  }
  return `{${text}}`;
}
