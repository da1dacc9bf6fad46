import { StoredText } from './StoredText.js';

/**
 * Prints an answer as JSON, with stored texts inserted. As in `JSON.stringify`, undefined members are
 * omitted.
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
