import { hash } from 'node:crypto';
import type { JsonObject, JsonValue } from '../jsonValue.js';
import { canonicalJson } from '../canonicalJson.js';
import { valueOf } from './entryFields.js';
import { canonicalFieldValue, fieldValueProblem } from './fieldValue.js';
import type { FieldType, OntologyField } from './Ontology.js';

const MAX_KEY = 200;

/** The text under which the filter index stores a value; a hash for long values. */
export function filterKey(type: FieldType, value: JsonValue): string {
  const text = canonicalJson(canonicalFieldValue(type, value));
  return text.length <= MAX_KEY ? text : `sha256:${hash('sha256', text, 'hex')}`;
}

export interface FilterEntry {
  slot: string;
  key: string;
}

/** The index rows of an entry: each field's value, and each item of an array of strings. */
export function filterEntries(map: readonly OntologyField[], slots: JsonObject): FilterEntry[] {
  return map.flatMap(({ slot, type }) => {
    const value = valueOf(slots, slot);
    if (value === undefined) return [];
    const items = new Set(type === 'string_array' && Array.isArray(value) ? value : []);
    const keys = new Set([filterKey(type, value), ...[...items].map((item) => filterKey('string', item))]);
    return [...keys].map((key) => ({ slot, key }));
  });
}

/** A filter on a field, however its value was spelled. */
export interface AskedKey {
  key: string;
  /** The value in one spelling. */
  value: JsonValue;
}

/**
 * The key for a filter on the field, or why there is none. Query strings carry text only, so text that spells
 * a value of the field's type counts as that value. One string on an array field finds arrays with it, unless
 * it spells an array.
 */
export function askedKey(type: FieldType, asked: JsonValue): AskedKey | { problem: string } {
  const value = typeof asked === 'string' ? spelled(type, asked) : asked;
  if (type === 'string_array' && typeof asked === 'string' && !Array.isArray(value))
    return { key: filterKey('string', asked), value: asked };
  const problem = value === undefined ? 'is not a value of this field' : fieldValueProblem(type, value);
  return problem === undefined && value !== undefined
    ? { key: filterKey(type, value), value: canonicalFieldValue(type, value) }
    : { problem: problem ?? '' };
}

function spelled(type: FieldType, text: string): JsonValue | undefined {
  if (type === 'string' || type === 'date_time') return text;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
